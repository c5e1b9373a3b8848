"""Table Companion: reads real cards on a real table, referees and scores the games played with them."""

__version__ = "0.1.0"
