"""Cards of custom decks told apart: see below."""
