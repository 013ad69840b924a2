"""Pickomino: set dice aside face by face, stop for a tile or roll on; the most worms on tiles win."""

from hazard.declaration import Declaration, Drawing, Lab, Paper
from hazard.games.pickomino import notation, rules
from hazard.games.pickomino.agents import AGENTS
from hazard.games.pickomino.explore import EXPLORER
from hazard.games.pickomino.pictures.text import PAINT, draw_text
from hazard.games.pickomino.players.learn import subject
from hazard.games.pickomino.players.network import value
from hazard.games.pickomino.solver.advice import advise, show
from hazard.games.pickomino.solver.solve import TurnSolver, answer
from hazard.games.pickomino.why import why

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
    why=why,
    drawing=Drawing(draw_text, PAINT),
    learn=subject,
    faces=notation.faces,
    explore=EXPLORER,
    paper=Paper(
        title="Determination and Evaluation of Efficient Strategies for a Stop or Roll Dice Game: Heckmeck am "
        "Bratwurmeck (Pickomino)",
        authors="Nathalie Chetcuti-Sperandio, Fabien Delorme, Sylvain Lagrue and Denis Stackowiak",
        year="2008",
        place="IEEE Symposium on Computational Intelligence and Games",
        published="Twenty programs for Pickomino play each other: simple rules, and programs that grow random trees "
        "of the turn's further rolls and count which face leads to a tile most often. A table of all pairs, 20,000 "
        "matches each, shows that looking ahead pays, and how much risk a program should take.",
        found="The tables of risk come out, and most pairs of programs that are described in full. One row of the "
        "large table, MCP5, is printed in error: it is that of MCP50, and what is said of too little risk rests on it "
        "alone. Two remarks are swapped. Beyond the paper, every turn is solved exactly.",
        takes="a quarter of an hour",
    ),
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
