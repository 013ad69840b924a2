"""Risk: one territory attacks another. How many dice should the defender roll?"""

from hazard.declaration import Declaration, Drawing, Lab, Paper
from hazard.games.risk import notation, rules
from hazard.games.risk.agents import AGENTS
from hazard.games.risk.explore import EXPLORER
from hazard.games.risk.solve import answer, battle
from hazard.games.risk.text import PAINT, draw_text
from hazard.games.risk.why import why
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
    why=why,
    drawing=Drawing(draw_text, PAINT),
    faces=notation.faces,
    explore=EXPLORER,
    paper=Paper(
        title="An Optimal Dice Rolling Policy for Risk",
        authors="Ger Koole",
        year="1994",
        place="Nieuw Archief voor Wiskunde 12",
        published="By the Dutch rules of Risk the defender sees the attacker's dice before he chooses to roll one die "
        "or two. With armies to spare on both sides he should roll two exactly when the attacker's second die is 3 or "
        "less; in the long run 0.500257 of all armies lost are then the attacker's.",
        found="The rule and the figure are right; exactly, it is 1945/3888. But the best answers do not stay the same "
        "from a stake of 5 armies on, as the paper has it, but from 13 on: until then two dice may be best against "
        "4-4. In whole battles of up to 100 armies the rule is rarely best for every roll, and never far off.",
        takes="a minute",
        quick=True,
    ),
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
