"""The reader: three small networks that say what an index is, where in its window it lies, and what a whole card is.

`items` are the cards to learn, `views` imagined photographs of them, `patches` the crops cut from such as the running
program cuts them, `photos` crops of real photographs that may train; `stream` deals them out. `net` holds the networks,
`train` teaches, `measure` and `calibrate` look at held-out prints, `quantize` puts them into eight bits, `revive` makes
weights of shipped files; `commands` is the command line.
"""
