"""What a past match teaches: every decision weighed from its own chair, and how the chances to win went.

All of it follows from reveals, which are public: the same match gives the same analysis, figure by figure.
"""

ANALYSIS_VERSION = 3
"""It rises when the figures of a match would be others, so also when Hard plays otherwise. What was stored
before is then worked out anew."""
