"""Pickomino: set dice aside face by face, stop for a tile or roll on; the most worms on tiles win."""

from hazard.games.pickomino import notation, rules
from hazard.games.pickomino.agents import AGENTS
from hazard.games.pickomino.pictures.text import PAINT, draw_text
from hazard.games.pickomino.players.learn import subject
from hazard.games.pickomino.players.network import value
from hazard.games.pickomino.solver.advice import advise, show
from hazard.games.pickomino.solver.solve import TurnSolver, answer
from hazard.rulebook import Declaration, Drawing, Lab

GAME = Declaration(
    title="Pickomino",
    summary="Set dice aside face by face, stop for a tile or roll on; the most worms on tiles win.",
    parameters=notation.PARAMETERS,
    make=notation.make,
    scratch=notation.scratch,
    rules=rules,
    notation=notation,
    agents=AGENTS,
    solver=TurnSolver(),
    answer=answer,
    judge=value,
    rollout="turn",
    advise=advise,
    show_advice=show,
    drawing=Drawing(draw_text, PAINT),
    learn=subject,
    lab=Lab(
        place=5,
        invitation="Set dice aside for worms and tiles, and snatch the tile that lies on top of a rival's stack.",
        shown=("players", "tiles"),
        opponents=("master", "turn"),
        watch=("master", "turn"),
        explore="A turn adviser to lay beside a real table: press the dice you rolled, and see what to keep and what "
        "each choice is worth.",
    ),
)
