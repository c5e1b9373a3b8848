"""Table Companion: reads real cards on a real table, referees and scores the games played with them."""

import os

__version__ = "0.2.0"

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
"""ONNX Runtime looks at this once, when it is first imported. Without it, it would keep an id of this machine in the
user's home and tell a host in the internet what it computes; nothing that this program starts does that."""
