"""Exports of the record: rounds, settlement lines, transfers and events as signed files."""
