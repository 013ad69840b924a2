"""Pig: the small example. Roll to grow the pot, hold to bank it."""

from hazard.declaration import Declaration, Drawing, Lab
from hazard.games.pig import notation, rules
from hazard.games.pig.agents import AGENTS
from hazard.games.pig.text import PAINT, draw_text
from hazard.games.pig.why import why
from hazard.solving.numbered.solver import Numbered

GAME = Declaration(
    title="Pig",
    summary="Roll to grow the pot, hold to bank it; a one loses the pot. First to the goal wins.",
    parameters=notation.PARAMETERS,
    make=notation.make,
    rules=rules,
    notation=notation,
    agents=AGENTS,
    solver=Numbered(),
    rollout="hold-at-20",
    why=why,
    drawing=Drawing(draw_text, PAINT),
    faces=notation.faces,
    lab=Lab(
        place=1,
        invitation="Roll and roll again, or bank what you have before a 1 takes it all.",
        shown=("goal",),
        opponents=("optimal", "hold-at-20"),
        watch=("optimal", "hold-at-20"),
    ),
)
