"""Draws the building: the packages floor by floor, and the way of one bet through them.

The floors are the layers of ``.importlinter``, the rooms are the packages of the source tree,
and the lines are the imports between them, so the drawing cannot say what the code does not.
"""

import configparser
from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src" / "openfelt"
WIDTH: Final = 1180
FLOOR_HEIGHT: Final = 96
ROOM_HEIGHT: Final = 44
LABEL_HEIGHT: Final = 18
MARGIN: Final = 14
GAP: Final = 10
BADGE: Final = 9
"""The radius of the numbered badges along the way of a bet."""

WAY_OF_A_BET: Final = (
    ("openfelt.server.socket.frames", "The frame is decoded and checked against the protocol."),
    ("openfelt.server.socket.commands", "The message becomes a command of the table."),
    ("openfelt.runtime.tables.mailbox", "It waits in the table's mailbox, in order."),
    ("openfelt.runtime.tables.worker", "The worker takes all that waits as one batch."),
    ("openfelt.runtime.tables.draft", "The batch is decided against the table in memory."),
    (
        "openfelt.table.croupier.croupier",
        "The croupier turns the command into events, or refuses it.",
    ),
    ("openfelt.rules.referee", "The referee checks the wagers by the rules of the house."),
    ("openfelt.table.chips", "The events say which chips move."),
    ("openfelt.ledger.book", "The chips are transfers of the ledger."),
    ("openfelt.storage.sql.sql_store", "Events and transfers are written in one commit."),
    (
        "openfelt.server.tables.rooms",
        "Then the player is answered and viewers are sent the change.",
    ),
)
"""The modules that a bet goes through, in order, and what each of them does with it."""


@dataclass(frozen=True, slots=True)
class Room:
    """One package, where it is drawn."""

    name: str
    modules: int
    x: float
    y: float
    width: float

    @property
    def centre(self) -> float:
        """The middle of the room, from left to right."""
        return self.x + self.width / 2


def floors() -> list[list[str]]:
    """The layers from the top down; siblings stand on one floor."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    lines = contracts["importlinter:contract:layers"]["layers"].strip().splitlines()
    return [[name.strip() for name in line.split("|")] for line in lines]


def rooms_of(layer: str) -> list[str]:
    """The packages of a layer that are drawn as rooms: its own modules, and each inner package."""
    folder = PACKAGE / layer
    inner = sorted(path.parent.name for path in folder.glob("*/__init__.py"))
    own = [layer] if _modules(layer) or not inner else []
    return [*own, *(f"{layer}.{name}" for name in inner)]


def room_of(module: str, rooms: set[str]) -> str | None:
    """The room that a module stands in."""
    parts = module.split(".")[1:]
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in rooms:
            return name
    return None


def imports() -> Counter[tuple[str, str]]:
    """How many imports go from one room to another on a lower floor."""
    graph = grimp.build_graph("openfelt")
    names = {room for floor in floors() for layer in floor for room in rooms_of(layer)}
    counted: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            pair = room_of(module, names), room_of(imported, names)
            if pair[0] and pair[1] and pair[0].split(".")[0] != pair[1].split(".")[0]:
                counted[pair[0], pair[1]] += 1
    return counted


@dataclass(frozen=True, slots=True)
class Frame:
    """One layer on its floor, around its rooms."""

    layer: str
    x: float
    y: float
    width: float


def placed() -> tuple[list[Frame], dict[str, Room]]:
    """Every layer and every room with its place in the drawing."""
    frames, rooms = [], {}
    for number, floor in enumerate(floors()):
        names = [rooms_of(layer) for layer in floor]
        free = WIDTH - 2 * MARGIN - GAP * (len(floor) - 1)
        unit = free / sum(map(len, names))
        x, y = float(MARGIN), MARGIN + number * FLOOR_HEIGHT
        for layer, inner in zip(floor, names, strict=True):
            width = unit * len(inner)
            frames.append(Frame(layer, x, y, width))
            room_width = (width - GAP * (len(inner) + 1)) / len(inner)
            for position, name in enumerate(inner):
                left = x + GAP + position * (room_width + GAP)
                rooms[name] = Room(name, _modules(name), left, y + LABEL_HEIGHT + 4, room_width)
            x += width + GAP
    return frames, rooms


def _modules(room: str) -> int:
    """How many modules a room holds; an inner package of a layer counts with what is below it."""
    path = PACKAGE / room.replace(".", "/")
    if not path.is_dir():
        return 1
    files = path.rglob("*.py") if "." in room else path.glob("*.py")
    return sum(file.name != "__init__.py" for file in files)


def building_svg() -> str:
    """The drawing as an SVG file."""
    frames, rooms = placed()
    height = 2 * MARGIN + FLOOR_HEIGHT * len(floors())
    parts = [
        _opening(height),
        "<title>The packages of Openfelt, floor by floor, and the way of one bet</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *map(_frame, frames),
        *(_line(rooms[above], rooms[below], n) for (above, below), n in sorted(imports().items())),
        _way(rooms),
        *map(_room, rooms.values()),
        *(_badge(number, point) for number, point in enumerate(_badges(rooms), start=1)),
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def _opening(height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="Inter, Helvetica, Arial, sans-serif">'
    )


def _frame(frame: Frame) -> str:
    return (
        f'<g><rect x="{frame.x:.1f}" y="{frame.y}" width="{frame.width:.1f}" '
        f'height="{FLOOR_HEIGHT - GAP}" rx="8" fill="#f2f5f3" stroke="#d3ddd7"/>'
        f'<text x="{frame.x + GAP:.1f}" y="{frame.y + LABEL_HEIGHT - 3}" font-size="12" '
        f'font-weight="700" fill="#0b6b4f">{escape(frame.layer)}</text></g>'
    )


def _line(above: Room, below: Room, count: int) -> str:
    top, bottom = above.y + ROOM_HEIGHT, below.y
    middle = (top + bottom) / 2
    weight = min(0.6 + count / 12, 3)
    return (
        f'<path d="M{above.centre:.1f} {top:.1f} C{above.centre:.1f} {middle:.1f} '
        f'{below.centre:.1f} {middle:.1f} {below.centre:.1f} {bottom:.1f}" fill="none" '
        f'stroke="#0b6b4f" stroke-opacity="0.13" stroke-width="{weight:.1f}">'
        f"<title>{above.name} imports {below.name}: {count}</title></path>"
    )


def _room(room: Room) -> str:
    name = room.name.rpartition(".")[2]
    count = f"{room.modules} module{'s' if room.modules != 1 else ''}"
    return (
        f'<g><rect x="{room.x:.1f}" y="{room.y:.1f}" width="{room.width:.1f}" '
        f'height="{ROOM_HEIGHT}" rx="5" fill="#ffffff" stroke="#9db5aa"/>'
        f'<text x="{room.centre:.1f}" y="{room.y + 19:.1f}" font-size="13" font-weight="600" '
        f'text-anchor="middle" fill="#10241c">{escape(name)}</text>'
        f'<text x="{room.centre:.1f}" y="{room.y + 34:.1f}" font-size="10.5" '
        f'text-anchor="middle" fill="#5b6b63">{count}</text></g>'
    )


def _badges(rooms: dict[str, Room]) -> list[tuple[float, float]]:
    """Where each step of the way is marked: below the step before it, as far as its room goes."""
    points: list[tuple[float, float]] = []
    for module, _ in WAY_OF_A_BET:
        room = rooms[room_of(module, set(rooms)) or ""]
        y = room.y + ROOM_HEIGHT
        left, right = room.x + 2 * BADGE, room.x + room.width - 2 * BADGE
        x = min(max(points[-1][0] if points else left, left), right)
        while any(abs(x - other) < 2 * BADGE and y == level for other, level in points):
            x += 2 * BADGE + 3
        points.append((x, y))
    return points


def _way(rooms: dict[str, Room]) -> str:
    """The line from step to step."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in _badges(rooms))
    return (
        f'<polyline points="{path}" fill="none" stroke="#c2410c" stroke-width="2" '
        f'stroke-linejoin="round"/>'
    )


def _badge(number: int, point: tuple[float, float]) -> str:
    x, y = point
    return (
        f'<g><circle cx="{x:.1f}" cy="{y:.1f}" r="{BADGE}" fill="#c2410c"/>'
        f'<text x="{x:.1f}" y="{y + 3.5:.1f}" font-size="10" font-weight="700" fill="#ffffff" '
        f'text-anchor="middle">{number}</text></g>'
    )


def way_of_a_bet() -> str:
    """The steps of a bet as a table in Markdown; the numbers are those of the drawing."""
    rows = [
        f"| {number} | `src/{module.replace('.', '/')}.py` | {what} |"
        for number, (module, what) in enumerate(WAY_OF_A_BET, start=1)
    ]
    return "\n".join(["| step | module | what happens |", "|---|---|---|", *rows, ""])
