"""Numba kernels: numbers and arrays in, numbers and arrays out, nothing else."""
