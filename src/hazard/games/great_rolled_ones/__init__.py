"""Great Rolled Ones: push your luck with five dice, and a last round."""

from hazard.declaration import Declaration, Drawing, Lab, Paper
from hazard.games.great_rolled_ones import notation, rules
from hazard.games.great_rolled_ones.agents import AGENTS
from hazard.games.great_rolled_ones.explore import EXPLORER
from hazard.games.great_rolled_ones.text import PAINT, draw_text
from hazard.games.great_rolled_ones.why import why
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
    why=why,
    drawing=Drawing(draw_text, PAINT),
    explore=EXPLORER,
    paper=Paper(
        title="Optimal Play of the Great Rolled Ones Game",
        authors="Todd W. Neller, Quan H. Nguyen, Phong T. Pham, Linh T. Phan and Clifton G. M. Presser",
        place="Slides, Gettysburg College",
        published="Great Rolled Ones for two is solved by value iteration: the second player wins 55.05 % of games, "
        "and three points of compensation make it nearly fair. Four policies that people can remember are measured "
        "against optimal play; the best of them wins one game in a hundred less than its optimal opponent.",
        found="Solved with proven bounds, the values hold but for the last printed digit of two, and three points are "
        "the fairest compensation. One of the four policies does not come out by any sound reading. When to roll is "
        "not always an interval: as the pot grows, the best player may roll, hold, and roll again.",
        takes="a minute",
        quick=True,
    ),
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
