"""Rows to engine values and back: the only codec, and the few plain statements of the hot path.

`rows` says what a row holds, `reading` loads, `writing` saves. The statements run on SQLite and PostgreSQL
alike.
"""
