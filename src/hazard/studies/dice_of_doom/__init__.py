"""Van den Berg's thesis on Dice of Doom."""

from hazard.studies import Declaration
from hazard.studies.dice_of_doom import study

STUDY = Declaration(game="dice-of-doom", run=study.study)
