"""What people see of a match, as plain JSON in their language.

What lives here: the words (`texts`), a match for a reader (`present`), what he may know of
it (`mask`), a game's rules (`rulebook`), decks for the
picker (`decks`), QR codes (`qr`). What may come in: games, referee, and the role of the reader (`access`). What never
does: the request, the journal, a camera, a game's name other than as a value.
"""
