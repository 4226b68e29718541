"""Belief: what one seat knows of the hidden cards, and determinizations sampled from it.

Bottom up: ``pools`` (cards without a known place), ``ambiguity`` (hypotheses about a hand), ``knowledge`` (the state,
and the only module that changes it), ``inference`` and ``played_card`` (conclusions), ``memory`` (events and views: the
way in); then ``group``, ``front_only`` and ``deal_plan``, and on top ``sampler``.  docs/glossary.md has the terms and
the papers.
"""
