"""Evaluation: frozen protocols, each counted in one place.

`photographs` is the protocol on real pictures that never trained anything, `composed` the one on composed scenes of
held-out prints, `errors` shows what goes wrong there, `doubles` counts true duplicates, `peer` measures the well-known
kind of model beside ours by the same counting. `films` plays filmed games to the server's
watch, and `followed` counts what the journal then holds;
`enrolment` photographs drawn decks, to enrol them for such films. `custom` measures
invented decks, `real_decks` those of photographs.
"""
