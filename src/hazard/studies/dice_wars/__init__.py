"""Turecek's paper on Dice Wars."""

from hazard.studies import Declaration
from hazard.studies.dice_wars import study

STUDY = Declaration(game="dice-wars", run=study.study)
