"""Openfelt runs casino table poker and proves its mathematics.

The packages, from the bottom up: ``openfelt.cards``, ``openfelt.rules``, and on top
of them ``openfelt.catalog`` with the rule data, ``openfelt.table``,
``openfelt.maths`` and ``openfelt.cli``.
"""
