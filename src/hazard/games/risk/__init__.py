"""Risk: one territory attacks another. How many dice should the defender roll?"""

from hazard.games.risk import notation, rules
from hazard.games.risk.agents import AGENTS
from hazard.games.risk.solve import answer, battle
from hazard.games.risk.text import PAINT, draw_text
from hazard.rulebook import Declaration, Drawing, Lab
from hazard.solving.numbered.solver import Numbered

GAME = Declaration(
    title="Risk",
    summary="One territory attacks another; how many dice should the defender roll?",
    seats=("attacker", "defender"),
    parameters=notation.PARAMETERS,
    make=notation.make,
    fit=notation.fit,
    rules=rules,
    notation=notation,
    agents=AGENTS,
    solver=Numbered(battle, code=("games/risk/solve.py",)),
    answer=answer,
    rollout="koole",
    drawing=Drawing(draw_text, PAINT),
    lab=Lab(
        place=3,
        invitation="Ten armies attack ten. You see the attacker's dice: do you defend with one die or two?",
        shown=("attackers", "defenders", "rule", "stop"),
        opponents=("optimal", "koole"),
        watch=("optimal", "optimal"),
        seat=1,  # only the defender has much to decide
        explore="How any battle ends, and how many dice the defender should roll against every roll of the attacker.",
    ),
)
