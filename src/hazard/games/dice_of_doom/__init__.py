"""Dice of Doom: tiles with dice attack their neighbours; whoever owns the most tiles at the end wins."""

from hazard.declaration import Declaration, Drawing, Lab, Paper
from hazard.games.dice_of_doom import notation, parameters, rules
from hazard.games.dice_of_doom.agents import AGENTS
from hazard.games.dice_of_doom.pictures.geometry import board
from hazard.games.dice_of_doom.pictures.svg import board_svg
from hazard.games.dice_of_doom.pictures.text import PAINT, draw_text
from hazard.games.dice_of_doom.solver.solver import BlockSolver
from hazard.games.dice_of_doom.why import why

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
    why=why,
    drawing=Drawing(draw_text, PAINT),
    picture=board_svg,
    board=board,
    paper=Paper(
        title="Exploring Optimal Strategies for Dice of Doom",
        authors="Perri van den Berg",
        year="2023",
        place="Bachelor thesis, LIACS, Leiden University",
        published="Five strategies for Dice of Doom play against a greedy one on boards of 2 to 25 tiles, and small "
        "boards are solved by iteration. With up to five dice a tile greed does best; with two it does worst. Play "
        "that is close to optimal beats it everywhere.",
        found="Battles, counts and most matches come out. In two tables the columns for random dice repeat those of "
        "deterministic play, which is shown to be an error. The thesis' averages carry the rounding of single "
        "precision; ours are certified. Greed fails with two dice because it ends its turn where optimal play attacks.",
        takes="many minutes",
    ),
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
