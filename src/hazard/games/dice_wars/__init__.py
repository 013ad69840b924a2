"""Dice Wars: territories with dice attack their neighbours until one player owns the whole map."""

from hazard.declaration import Declaration, Drawing, Lab, Paper
from hazard.games.dice_wars import notation, rules
from hazard.games.dice_wars.agents import AGENTS
from hazard.games.dice_wars.pictures.geometry import board
from hazard.games.dice_wars.pictures.svg import board_svg, write_map
from hazard.games.dice_wars.pictures.text import PAINT, draw_text
from hazard.games.dice_wars.players.glance import chances
from hazard.games.dice_wars.players.learn import subject
from hazard.games.dice_wars.scratch import make_scratch
from hazard.games.dice_wars.why import why

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
    glance=chances,
    why=why,
    drawing=Drawing(draw_text, PAINT),
    picture=board_svg,
    board=board,
    map=write_map,
    learn=subject,
    paper=Paper(
        title="Artificial Intelligence for a Board Game",
        authors="Dominik Tureček",
        year="2018",
        place="Faculty of Information Technology, Brno University of Technology",
        published="Three players for Dice Wars: one that attacks at random, one that attacks where it has most dice "
        "to spare, and one that estimates by expectiminimax which territories it will take and still hold when its "
        "next turn comes. The last wins 34.9 % of games against five others.",
        found="All published shares are reproduced. With two players who moves first has a large advantage, which "
        "shrinks as more take part. What the estimate promises is not what is held in the end; put right, it makes a "
        "player, ste-corrected, that is stronger than the original against all but random attacks.",
        takes="two minutes",
    ),
    lab=Lab(
        place=6,
        invitation="Territories with up to eight dice fight until one player owns the map.",
        shown=("players", "territories"),
        opponents=("master-fast", "ste-corrected", "ste"),
        watch=("master-fast", "ste-corrected", "ste", "sdc"),
    ),
)
