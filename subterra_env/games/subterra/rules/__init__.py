"""The rulebook as functions: one module a chapter, one function a rule, each citing its section.

Questions (``may_…``, ``is_…``, nouns) look at the state, verbs change it. Where a rule has to wait for an answer or
for chance it says so in the state (``node``, ``step``) and returns; ``rounds.go_on`` takes it up again.
"""
