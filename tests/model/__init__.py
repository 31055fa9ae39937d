"""The rules written a second time, plainly, to hold the engine and the running service against."""
