"""Dice of Doom: tiles with dice attack their neighbours; whoever owns the most tiles at the end wins."""

from hazard.games.dice_of_doom import notation, parameters, rules
from hazard.games.dice_of_doom.agents import AGENTS
from hazard.games.dice_of_doom.pictures.geometry import board
from hazard.games.dice_of_doom.pictures.svg import board_svg
from hazard.games.dice_of_doom.pictures.text import PAINT, draw_text
from hazard.games.dice_of_doom.solver.solver import BlockSolver
from hazard.rulebook import Declaration, Drawing, Lab

GAME = Declaration(
    title="Dice of Doom",
    summary="Tiles with dice attack their neighbours; whoever owns the most tiles at the end wins.",
    seats=notation.SEATS,
    parameters=parameters.PARAMETERS,
    make=parameters.make,
    scratch=parameters.scratch,
    fit=parameters.fit,
    rules=rules,
    notation=notation,
    agents=AGENTS,
    solver=BlockSolver(),
    rollout="greedy",
    drawing=Drawing(draw_text, PAINT),
    picture=board_svg,
    board=board,
    lab=Lab(
        place=4,
        invitation="Small hexagons, big stacks: attack your neighbour at the right moment.",
        parameters={"board": "3x3", "max_dice": 3},
        shown=("board", "max_dice", "players"),
        opponents=("greedy", "expansion"),
        watch=("greedy", "expansion"),
        explore="Small boards, solved. Set up any position by clicking: chances and the value of every move, at once.",
    ),
)
