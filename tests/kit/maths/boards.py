"""Boards of every kind: scattered, paired, suited, connected, and stronger than any hand."""

BOARDS = [
    "2c 7d 9h Js Kd",
    "2c 7c 9c Js Kd",
    "2c 7c 9c Jc Kd",
    "2c 7c 9c Jc Kc",
    "Tc Jc Qc Kc Ac",
    "4c 4d 4h 4s 9c",
    "Ac Ad Ah Ks Kc",
    "5c 6c 7d 8d 9h",
]
