// How long ago something was, in words.

const STEPS = [[86400000, "day"], [3600000, "hour"], [60000, "minute"]];

export function ago(time) {
  const passed = Date.now() - time, [size, unit] = STEPS.find(([least]) => passed >= least) ?? [];
  return size ? new Intl.RelativeTimeFormat("en").format(-Math.floor(passed / size), unit) : "just now";
}
