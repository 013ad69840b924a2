"""From a file's module to a declaration: what it must have is checked, and what it leaves out gets a default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import cleandoc, signature
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from hazard import contract
from hazard.agents import RANDOM
from hazard.agents.search import SEARCHING, room_for
from hazard.declaration import Agent, Chart, Declaration, Drawing, GameFile, Lab, Parameter
from hazard.dice import MOST_SEATS
from hazard.errors import BadInput
from hazard.fingerprint import global_names, source_of
from hazard.jit import own, rule
from hazard.own_games.words import board_of, lines_of, words_of
from hazard.solving.enumerated.several import ByRules
from hazard.solving.optimal import OPTIMAL_BY_VALUE

MUST = {"start": 1, "over": 2, "payoff": 3, "legal": 3, "move": 3, "chance": 2, "weight": 3, "land": 3}  # arguments
MAY = {"deal": 2, "roll": 3, "purse": 1, "floor": 1, "fanout": 1, "canonical": 2, "progress": 2, "gain": 3, "least": 1}
MOST_MOVES = 1 << 16  # in a position, unless the file has `fanout`
HIGHEST = 1_000_000  # value of a parameter, unless LIMITS says something else


@own
@rule
def fanout(g: Any) -> int:
    """Room for so many moves; code of these games is compiled with bounds checks."""
    return MOST_MOVES


def declare(module: ModuleType, name: str, text: str, file: GameFile | None) -> Declaration:
    """The game of a module."""
    where = file.path if file else module.__name__
    rules = _rules(module, where)
    fields = _parameters(module, where, text)
    make = partial(_make, module, where)
    usual = make({p.name: p.default for p in fields})
    start = _start(module, where, usual)
    agents = _agents(module, where)
    drawn = getattr(module, "draw", None)
    return Declaration(
        name=name,
        title=str(getattr(module, "TITLE", name.replace("-", " ").capitalize())),
        summary=_summary(module),
        parameters=fields,
        make=make,
        rules=rules,
        notation=words_of(module, rules.fanout, usual, start),
        agents=agents,
        scratch=room_for(rules),
        solver=ByRules(),
        drawing=Drawing(lines_of(drawn)) if drawn else None,
        board=board_of(module),
        lab=_lab(module, fields, agents),
        charts=tuple(Chart(**line) for line in getattr(module, "ATLAS", ())),
        file=file,
    )


def _lab(module: ModuleType, fields: tuple[Parameter, ...], agents: Mapping[str, Agent]) -> Lab:
    """How the lab offers it: people play against the file's own agents first."""
    named = [*dict(getattr(module, "AGENTS", {})), *(name for name in ("mcts", "rollout", "random") if name in agents)]
    shown = tuple(p.name for p in fields[:4])
    unit = str(getattr(module, "UNIT", "points" if hasattr(module, "gain") or hasattr(module, "least") else ""))
    return Lab(opponents=tuple(named), watch=tuple(named[:2]), shown=shown, unit=unit)


def _summary(module: ModuleType) -> str:
    """The first sentence of the file."""
    said = cleandoc(module.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    return re.split(r"(?<=[.!?]) ", said)[0] or "A game without a word about it."


# --- rules -----------------------------------------------------------------------------------------------------------
def _rules(module: ModuleType, where: str) -> ModuleType:
    """The functions of the contract that the file has, and its State; other names in it are its own affair."""
    for name in ("Params", "State"):
        kind = getattr(module, name, None)
        if not (isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")):
            raise BadInput(f"{where}: lacks {name}; write `class {name}(NamedTuple):` with a line for each number")
    _check_state(module.State, where)
    for function in list(vars(module).values()):
        if getattr(function, "is_rule", False) and function.__module__ == module.__name__:
            own(function)
            source_of(function)  # while the file says what was loaded
    found = {name: _rule(module, where, name, count) for name, count in MUST.items()}
    found |= {name: _rule(module, where, name, count) for name, count in MAY.items() if hasattr(module, name)}
    rules = ModuleType(module.__name__, module.__doc__)
    vars(rules).update({"fanout": fanout, "State": module.State} | found)
    return rules


def _rule(module: ModuleType, where: str, name: str, count: int) -> Callable:
    function: Any = getattr(module, name, None)
    line = f" line {function.__code__.co_firstlineno}" if hasattr(function, "__code__") else ""
    wanted = f"{name}({', '.join(signature(getattr(contract, name)).parameters) if hasattr(contract, name) else '...'})"
    if not callable(function):
        raise BadInput(f"{where}: lacks {wanted}")
    if not getattr(function, "is_rule", False):
        raise BadInput(f"{where}{line}: {name} is not marked; write @rule above it (from hazard import rule)")
    if function.__code__.co_argcount != count:
        raise BadInput(f"{where}{line}: {name} takes {function.__code__.co_argcount} arguments; it must be {wanted}")
    check_calls(function, where)
    return function


def check_calls(function: Callable, where: str, seen: set[CodeType] | None = None) -> None:
    """Refuse a rule that calls a Python function that is not a rule: it could not be compiled."""
    seen = set() if seen is None else seen
    if function.__code__ in seen:
        return
    seen.add(function.__code__)
    for name in global_names(function.__code__):
        called: Any = function.__globals__.get(name)
        if getattr(called, "is_rule", False):
            if called.__code__ is function.__code__:
                raise BadInput(f"{where}: {name} calls itself; rules cannot, write a loop")
            check_calls(called, where, seen)
        elif hasattr(called, "__code__"):
            line = function.__code__.co_firstlineno
            raise BadInput(f"{where} line {line}: {function.__name__} calls {name}, which is not marked @rule")


def _check_state(state: Any, where: str) -> None:
    for field, kind in state.__annotations__.items():
        named = getattr(kind, "__forward_arg__", None) or getattr(kind, "__name__", str(kind))
        if named != "int":
            raise BadInput(f"{where}: State.{field} is {named}; every field of a position is a whole number: int")
    if "mover" not in state._fields:
        raise BadInput(f"{where}: State lacks mover: int, the seat whose turn it is, counted from 0")


# --- parameters ------------------------------------------------------------------------------------------------------
def _parameters(module: ModuleType, where: str, text: str) -> tuple[Parameter, ...]:
    """The fields of Params; ranges are those of LIMITS, and what they mean is the comment behind each."""
    usual, limits = module.Params._field_defaults, dict(getattr(module, "LIMITS", {}))
    named, found = dict(getattr(module, "CHOICES", {})), []
    for field in module.Params._fields:
        if field not in usual or type(usual[field]) is not int:
            raise BadInput(f"{where}: Params.{field} must be a whole number with a default, e.g. {field}: int = 2")
        if field in named and field not in limits:
            words = _words(where, field, usual[field], named.pop(field))
            found.append(Parameter(field, words[usual[field]], _comment(text, field), choices=words))
            continue
        low, high = _limits(where, field, usual[field], limits.pop(field, None))
        if low < high or field != "players":
            found.append(Parameter(field, usual[field], _comment(text, field), low, high))
    if limits:
        raise BadInput(f"{where}: LIMITS names {min(limits)!r}, which is no field of Params")
    if named:
        raise BadInput(f"{where}: CHOICES names {min(named)!r}, which is no field of Params, or is in LIMITS too")
    if "players" not in usual:
        raise BadInput(f"{where}: Params lacks the number of players; write players: int = 2")
    return tuple(found)


def _words(where: str, field: str, usual: int, words: Any) -> tuple[str, ...]:
    """The names of a parameter's values, counted from 0."""
    good = isinstance(words, tuple | list) and all(isinstance(w, str) and re.fullmatch(r"[a-z0-9-]+", w) for w in words)
    if field == "players" or not good or len(set(words)) < len(words) or not 0 <= usual < len(words):
        said = f"the names of its values from 0 on, small letters and hyphens, and {usual} one of these"
        raise BadInput(f"{where}: CHOICES[{field!r}] must be {said}, e.g. ('win', 'margin')")
    return tuple(words)


def _limits(where: str, field: str, usual: int, limits: Any) -> tuple[int, int]:
    if limits is None:
        limits = (usual, usual) if field == "players" else (min(1, usual), max(HIGHEST, usual))
    whole = isinstance(limits, tuple) and len(limits) == 2 and all(type(n) is int for n in limits)
    if not whole or not limits[0] <= usual <= limits[1]:
        raise BadInput(f"{where}: LIMITS[{field!r}] must be (lowest, highest), with the default {usual} between them")
    if field == "players" and not 1 <= limits[0] <= limits[1] <= MOST_SEATS:
        raise BadInput(f"{where}: players must be from 1 to {MOST_SEATS}")
    return limits


def _comment(text: str, field: str) -> str:
    """What stands behind a parameter."""
    match = re.search(rf"^\s+{field}\s*:\s*int\s*=[^#\n]*#\s*(.*)$", text, re.MULTILINE)
    return match[1].strip() if match else ""


def _make(module: ModuleType, where: str, parameters: Mapping[str, Any]) -> Any:
    """What rules get as `g`: the parameters, or what `make` makes of them, and room for agents that search."""
    named = dict(getattr(module, "CHOICES", {}))
    params = module.Params(**{k: named[k].index(v) if k in named else v for k, v in parameters.items()})
    make = getattr(module, "make", None)
    try:
        made = make(params) if make else params
    except ValueError as problem:
        raise BadInput(str(problem)) from problem
    if not hasattr(made, "_fields") or "players" not in made._fields:
        raise BadInput(f"{where}: make must return a NamedTuple of numbers and arrays, with players among them")
    table = _table(module, made._fields)(*made, ())
    if made.players > 1 and hasattr(module, "least") and module.least(table):
        raise BadInput(f"{where}: least is for games of one player; with more, pay less to whoever has more")
    return table


@cache
def _table(module: ModuleType, fields: tuple[str, ...]) -> Any:
    """A class for `g` with a last field `scratch`; it has a place in the module, where kept code finds it."""
    name = f"Table_{'_'.join(fields)}"
    table = NamedTuple(name, [*((field, Any) for field in fields), ("scratch", Any)])  # type: ignore[misc]
    table.__module__ = module.__name__
    setattr(module, name, table)
    return table


def _start(module: ModuleType, where: str, g: Any) -> Any:
    """The first position, which is looked at whatever is asked of the game."""
    from hazard.own_games.load import line_in

    try:
        start = module.start(g)
    except Exception as problem:
        raise BadInput(f"{where}{line_in(where, problem)}: start: {type(problem).__name__}: {problem}") from problem
    if not isinstance(start, module.State):
        raise BadInput(f"{where}: start must return a State, not {start!r}")
    for field, value in zip(start._fields, start, strict=True):
        if type(value) is not int:
            raise BadInput(f"{where}: start gives {field}={value!r}; every field of a position is a whole number")
    if not 0 <= start.mover < g.players:
        raise BadInput(f"{where}: start gives mover={start.mover}; seats are 0 to {g.players - 1}")
    return start


# --- agents ----------------------------------------------------------------------------------------------------------
def _agents(module: ModuleType, where: str) -> dict[str, Agent]:
    """Agents for any game, and those that the file has in AGENTS."""
    found = {"random": RANDOM, "optimal": OPTIMAL_BY_VALUE, **SEARCHING}
    for name, agent in dict(getattr(module, "AGENTS", {})).items():
        decide = agent.decide if isinstance(agent, Agent) else agent
        if not getattr(decide, "is_rule", False) or decide.__code__.co_argcount != 5:
            raise BadInput(f"{where}: agent {name!r} must be a function with @rule, called (g, s, moves, memory, rng)")
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            raise BadInput(f"{where}: agent {name!r}: names are small letters, digits and hyphens, e.g. hold-at-20")
        check_calls(decide, where)
        summary = cleandoc(decide.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        found[name] = agent if isinstance(agent, Agent) else Agent(decide, summary or "an agent of the file")
    return found
