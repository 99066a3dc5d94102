"""Runs the loop over a recorded session: all of it from the tape, or with the tools or the model live."""
