"""Networks on pixels: what is detected in a picture, and what single crops say.

What lives here. `detector` finds cards and index corners of any print at several scales, `suppression` keeps each
once, `crops` rectifies parts of the picture, `classifier` runs the networks over them, `evidence` adds up what they
say of one card, `letters` tells a deck's language, `runtime` runs ONNX files.

What may come in: pixels, windows in px, weights. What goes out: `Detection`, `Evidence`, `Classification`.

What never comes in: other cards. A crop is judged by itself; which detections are one card, or two, is decided in
`assembly`. And nothing in millimetres: nobody here knows how the table lies.
"""
