"""The parts of bench/run. They use only the standard library of Python."""
