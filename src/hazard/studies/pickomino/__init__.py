"""The paper of Chetcuti-Sperandio and her colleagues on Pickomino."""

from hazard.studies import Declaration
from hazard.studies.pickomino import study

STUDY = Declaration(game="pickomino", run=study.study)
