"""The parts of bench/run. Only the standard library of Python is used."""
