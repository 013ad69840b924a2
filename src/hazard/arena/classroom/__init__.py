"""A class: a folder of bots is checked, isolated, played off and graded; pages for the class and for each pupil."""
