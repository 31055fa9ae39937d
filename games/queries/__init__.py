"""Everything that a page or an answer reads; views of a viewer, never rows.

`table` has one table with its rounds and its archive, `lists` has many.
"""
