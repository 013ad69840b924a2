"""Great Rolled Ones: push your luck with five dice, and a last round."""

from hazard.games.great_rolled_ones import notation, rules
from hazard.games.great_rolled_ones.agents import AGENTS
from hazard.games.great_rolled_ones.text import PAINT, draw_text
from hazard.rulebook import Declaration, Drawing, Lab
from hazard.solving.numbered.solver import Numbered

GAME = Declaration(
    title="Great Rolled Ones",
    summary="Roll dice, set ones aside, count the others; hold to score, and do not roll too many ones.",
    parameters=notation.PARAMETERS,
    make=notation.make,
    rules=rules,
    notation=notation,
    agents=AGENTS,
    solver=Numbered(),
    rollout="keep-pace",
    drawing=Drawing(draw_text, PAINT),
    lab=Lab(
        place=2,
        invitation="Five dice, and every 1 is set aside: three of them and the turn is lost.",
        shown=("goal", "players"),
        opponents=("optimal", "keep-pace"),
        watch=("optimal", "keep-pace"),
        explore="When to hold, for every score: maps of the perfect player, and the surface between rolling and "
        "holding, to be turned.",
    ),
)
