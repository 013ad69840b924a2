// Scales of colours that grow steadily lighter, so that they also tell without colour; as [red, green, blue].

const scale = (...stops) => {
  const points = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return (part) => {
    const place = Math.max(0, Math.min(1, part)) * (points.length - 1), low = Math.min(points.length - 2, Math.floor(place));
    return points[low].map((from, n) => from + (points[low + 1][n] - from) * (place - low));
  };
};

export const height = scale("#3b1c5a", "#3a4a8c", "#22828e", "#4fbf6b", "#f6e626");
export const likely = scale("#0c2a5b", "#47536f", "#7d7c78", "#b9ac70", "#fbe64d");
// Below the middle, about the middle, above it.
export const apart = scale("#7a2f00", "#d98032", "#f4f0e6", "#5aa5d8", "#00406f");

export const css = ([red, green, blue], shade = 1) =>
  `rgb(${Math.round(red * shade)} ${Math.round(green * shade)} ${Math.round(blue * shade)})`;
