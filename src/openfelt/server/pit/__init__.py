"""The pit: badges, PINs, shifts and approvals of dealers, and the codes that card readers send.

The readers themselves are enrolled in ``openfelt.server.accounts``.
"""
