"""Scenes: pictures of tables that never were, with exact labels.

Deck designs come from free card sets (`prints`) or are invented from a seed (`drawn_prints`, in the fonts that `fonts`
finds). `layouts` says where cards lie, `backgrounds` what they lie on, `compose` lays, labels and paints them, `light`
takes the photograph, `dataset` writes it down for the detector and `looks` cuts whole tables up as the detector itself
looks at them. `photo_cards` cuts real cards out of photographs that may train. A seed says everything.
"""
