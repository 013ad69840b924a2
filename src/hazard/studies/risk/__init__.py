"""Koole's article on Risk."""

from hazard.studies import Declaration
from hazard.studies.risk import study

STUDY = Declaration(game="risk", run=study.study)
