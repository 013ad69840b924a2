"""The slides of Neller and his colleagues on Great Rolled Ones."""

from hazard.studies import Declaration
from hazard.studies.great_rolled_ones import study

STUDY = Declaration(game="great-rolled-ones", run=study.study)
