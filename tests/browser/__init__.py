"""Tests in a real browser.

This file makes the folder a package for pytest: the browser, whose loop bars all others, is closed
before a test of another folder runs in the same process.
"""
