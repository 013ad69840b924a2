"""One line-up, many games: the seats rotate, and games that differ only in who sits where share board and dice."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite

from hazard.agents.seating import line_up_seed
from hazard.arena.bots.limits import Limits
from hazard.arena.play.seated import Played, Seated, WithBots, seat
from hazard.arena.statistics.counting import WINS
from hazard.arena.statistics.intervals import Ratio, Tally, gain
from hazard.errors import BadInput
from hazard.rulebook import Game

DEALS = 16  # that bots play at once: always as many, as they are started for each batch, and their faults count there


@dataclass(frozen=True)
class Match:
    """What came of a match; agents are in the order given."""

    agents: list[str]
    games: int
    wins: list[int]
    ties: int
    payoffs: list[tuple[float, float | None]]  # mean and its standard error, from deal to deal; None for one deal
    intervals: list[tuple[float, float]]  # 95 % for the mean payoff
    adjusted: list[tuple[float, float | None]] | None  # the same as payoffs, less what chance gave
    less_luck: float | None  # how many times more games the same accuracy would take without it
    wins_by_seat: list[list[int]]  # [agent][seat]
    shared_dice: float | None  # how many times more games the same accuracy would take without shared dice
    seed: int
    cut: int  # games that did not end, among the ties
    decisions: int
    faults: dict[str, int]  # of bots, by agent and reason
    seconds: float = field(compare=False)

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0


def match(
    game: Game,
    *agents: str,
    games: int = 10_000,
    seed: int = 1,
    shared: bool = True,
    luck: bool = False,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Match:
    """Play games between agents, one for each seat; the same arguments give the same games, always."""
    if len(agents) != game.seats:
        raise BadInput(f"{len(agents)} agents for {game.seats} seats; name one for each seat")
    if games < 1:
        raise BadInput(f"games={games}: must be 1 or more")
    if not 0 <= seed < 2**63:
        raise BadInput(f"seed={seed}: must be from 0 to 2^63 - 1")
    values = None
    if luck:
        from hazard.arena.play.luck import values_for

        values = values_for(game)
    table = seat(game, agents, line_up_seed(seed, agents), shared, values, limits, at_once=True)
    table.play(0, 0)  # reads compiled code, if there is any
    began = time.perf_counter()
    tally = _play(game, table, games, progress)
    return _result(agents, seed, shared, tally, time.perf_counter() - began)


def empty_tally(game: Game) -> Tally:
    """A tally with the range of the game's payoffs, where the game says what that is."""
    return Tally(game.seats, *(game.payoff_range or (0.0, 0.0)), sure=game.payoff_range is not None)


def tally_of(game: Game, first: int, played: Played) -> Tally:
    """What some games of a line-up say, from number `first` on."""
    found, tally = played.games, empty_tally(game)
    faults = [(f.place, f.reason, f.words or f.detail) for some in played.faults or [] for f in some]
    luck = found.luck if found.luck.shape[1] else None
    tally.add(first, found.payoffs, found.lengths, luck, faults, int(found.cut.sum()), seated=True)
    return tally


def _play(game: Game, table: Seated, games: int, progress: Callable[[int, int], None] | None) -> Tally:
    bots = isinstance(table, WithBots)
    tally, done, batch = empty_tally(game), 0, DEALS if bots else 1
    while done < games:
        started = time.perf_counter()
        played = table.play(done, min(batch * game.seats, games - done))
        tally.merge(tally_of(game, done, played))
        done += len(played.games.lengths)
        if not bots:
            batch = max(1, min(batch * 2, 1 << 17) if time.perf_counter() - started < 0.1 else batch // 2)
        if progress:
            progress(done, games)
    return tally


def _estimate(mean: Ratio) -> tuple[float, float | None]:
    return mean.mean, mean.error if isfinite(mean.error) else None


def _times(ratio: float) -> float | None:
    return float(ratio) if isfinite(ratio) else None


def _result(agents: tuple[str, ...], seed: int, shared: bool, tally: Tally, seconds: float) -> Match:
    places = range(tally.seats)
    means, lucky = [tally.payoff(p) for p in places], [tally.adjusted(p) for p in places]
    wins = tally.by_seat[:, :, WINS].astype(int)
    return Match(
        list(agents),
        tally.games,
        wins.sum(axis=1).tolist(),
        tally.games - int(wins.sum()),
        [_estimate(m) for m in means],
        [tally.interval(m) for m in means],
        [_estimate(m) for m in lucky if m] if all(lucky) else None,
        _times(gain(means[0].variance, lucky[0].variance)) if lucky[0] else None,
        wins.tolist(),
        _times(gain(tally.apart(0), means[0].variance)) if shared and tally.seats > 1 else None,
        seed,
        tally.cut,
        sum(length * count for length, count in tally.lengths.items()),
        {f"{agents[place]}: {reason}": count for (place, reason), (count, _) in tally.faults.items()},
        seconds,
    )
