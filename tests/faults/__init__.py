"""A real site under real faults: people who play, faults at random, and a checker of what they were told."""
