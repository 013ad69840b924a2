"""Dice Wars: territories with dice attack their neighbours until one player owns the whole map."""

from hazard.games.dice_wars import notation, rules
from hazard.games.dice_wars.agents import AGENTS
from hazard.games.dice_wars.pictures.geometry import board
from hazard.games.dice_wars.pictures.svg import board_svg, write_map
from hazard.games.dice_wars.pictures.text import PAINT, draw_text
from hazard.games.dice_wars.players.learn import subject
from hazard.games.dice_wars.scratch import make_scratch
from hazard.rulebook import Declaration, Drawing, Lab

GAME = Declaration(
    title="Dice Wars",
    summary="Territories with dice attack their neighbours until one player owns the whole map.",
    seats=notation.SEATS,
    parameters=notation.PARAMETERS,
    make=notation.make,
    scratch=make_scratch,
    rules=rules,
    notation=notation,
    agents=AGENTS,
    rollout="master-fast",
    drawing=Drawing(draw_text, PAINT),
    picture=board_svg,
    board=board,
    map=write_map,
    learn=subject,
    lab=Lab(
        place=6,
        invitation="Territories with up to eight dice fight until one player owns the map.",
        shown=("players", "territories"),
        opponents=("master-fast", "ste-corrected", "ste"),
        watch=("master-fast", "ste-corrected", "ste", "sdc"),
    ),
)
