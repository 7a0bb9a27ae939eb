"""Draws the building: the packages floor by floor, and the way of one bet through them.

The floors are the layers of ``.importlinter``, the rooms are the packages of the source tree,
and the lines are the imports between them, so the drawing cannot say what the code does not.
"""

import configparser
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src" / "openfelt"
COLUMNS: Final = 8
COLUMN_WIDTH: Final = 144
ROOM_WIDTH: Final = 122
ROOM_HEIGHT: Final = 42
GUTTER: Final = 34
"""The space below a row of rooms, in which the badges and the way of a bet are drawn."""
LABEL_HEIGHT: Final = 20
MARGIN: Final = 14
GAP: Final = 10
WIDTH: Final = 2 * MARGIN + COLUMNS * COLUMN_WIDTH
BADGE: Final = 9
"""The radius of the numbered badges along the way of a bet."""
LANE: Final = 5
"""The distance between two lines of the way that run side by side."""


class Step(NamedTuple):
    """One step of a bet: a module, what it does, and the earlier step that the bet comes from.

    One of the two modules imports the other, which a test checks.
    """

    module: str
    what: str
    after: str | None = None


WAY_OF_A_BET: Final = (
    Step("server.socket.connection", "The connection of the terminal receives the message."),
    Step(
        "server.socket.frames",
        "The frame is decoded and checked against the protocol.",
        after="server.socket.connection",
    ),
    Step(
        "server.socket.commands",
        "The message becomes a command of the table.",
        after="server.socket.connection",
    ),
    Step(
        "server.tables.rooms",
        "The room of the table has access to it.",
        after="server.socket.connection",
    ),
    Step(
        "runtime.remote.house_tables",
        "The command goes to the table: in this process, or over the bus to the one that runs it.",
        after="server.tables.rooms",
    ),
    Step(
        "runtime.tables.mailbox",
        "It waits in the table's mailbox, in order.",
        after="runtime.remote.house_tables",
    ),
    Step(
        "runtime.tables.worker",
        "The worker takes all that waits as one batch.",
        after="runtime.tables.mailbox",
    ),
    Step(
        "runtime.tables.draft",
        "The batch is decided against the table in memory.",
        after="runtime.tables.worker",
    ),
    Step(
        "table.croupier.croupier",
        "The croupier turns the command into events, or refuses it.",
        after="runtime.tables.draft",
    ),
    Step(
        "rules.referee",
        "The referee checks the wagers by the rules of the house.",
        after="table.croupier.croupier",
    ),
    Step("table.chips", "The events say which chips move.", after="runtime.tables.draft"),
    Step("ledger.transfers", "The chips are transfers of the ledger.", after="table.chips"),
    Step(
        "storage.door",
        "The worker hands the commit to the store, through its interface.",
        after="runtime.tables.worker",
    ),
    Step(
        "storage.sql.sql_store",
        "Events and transfers are written in one transaction.",
        after="storage.door",
    ),
    Step(
        "server.tables.room",
        "Then the player is answered, and viewers are sent the change.",
        after="server.tables.rooms",
    ),
)
"""The modules that a bet goes through, in order, and what each of them does with it."""


@dataclass(frozen=True, slots=True)
class Room:
    """One package, where it is drawn."""

    name: str
    modules: int
    x: int
    y: int

    @property
    def centre(self) -> int:
        """The middle of the room, from left to right."""
        return self.x + ROOM_WIDTH // 2

    @property
    def bottom(self) -> int:
        """The lower edge of the room."""
        return self.y + ROOM_HEIGHT


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
    x: int
    y: int
    width: int
    height: int


def placed() -> tuple[list[Frame], dict[str, Room]]:
    """Every layer and every room with its place in the drawing.

    Rooms stand in the columns of one grid, so the spaces between the columns are free on all
    floors. A floor has as many rows as its rooms need.
    """
    frames, rooms, y = [], {}, MARGIN
    for floor in floors():
        names = {layer: rooms_of(layer) for layer in floor}
        rows = next(n for n in range(1, 100) if sum(_columns(names, n)) <= COLUMNS)
        height = LABEL_HEIGHT + rows * (ROOM_HEIGHT + GUTTER)
        column = 0
        for layer, columns in zip(floor, _stretched(_columns(names, rows)), strict=True):
            x = MARGIN + column * COLUMN_WIDTH
            frames.append(Frame(layer, x, y, columns * COLUMN_WIDTH - GAP, height))
            wide = min(columns, len(names[layer]))
            left = column + (columns - wide) // 2
            for position, name in enumerate(names[layer]):
                row, place = divmod(position, wide)
                rooms[name] = Room(
                    name,
                    _modules(name),
                    MARGIN + (left + place) * COLUMN_WIDTH + (COLUMN_WIDTH - GAP - ROOM_WIDTH) // 2,
                    y + LABEL_HEIGHT + row * (ROOM_HEIGHT + GUTTER),
                )
            column += columns
        y += height + GAP
    return frames, rooms


def _columns(names: Mapping[str, list[str]], rows: int) -> list[int]:
    """How many columns each layer of a floor needs in so many rows."""
    return [-(-len(rooms) // rows) for rooms in names.values()]


def _stretched(columns: list[int]) -> list[int]:
    """The columns of a floor's layers, with the free ones shared out from the widest layer on."""
    free = COLUMNS - sum(columns)
    widest_first = sorted(range(len(columns)), key=lambda layer: -columns[layer])
    return [
        wide + free // len(columns) + (widest_first.index(layer) < free % len(columns))
        for layer, wide in enumerate(columns)
    ]


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
    height = frames[-1].y + frames[-1].height + MARGIN
    parts = [
        _opening(height),
        "<title>The packages of Openfelt, floor by floor, and the way of one bet</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *map(_frame, frames),
        *(_line(rooms[above], rooms[below], n) for (above, below), n in sorted(imports().items())),
        *map(_label, frames),
        *map(_room, rooms.values()),
        *_way(rooms),
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
        f'<rect x="{frame.x}" y="{frame.y}" width="{frame.width}" '
        f'height="{frame.height}" rx="8" fill="#f2f5f3" stroke="#d3ddd7"/>'
    )


def _label(frame: Frame) -> str:
    return (
        f'<text x="{frame.x + GAP}" y="{frame.y + LABEL_HEIGHT - 5}" font-size="14" '
        f'font-weight="700" fill="#0b6b4f" stroke="#f2f5f3" stroke-width="4" '
        f'paint-order="stroke">{escape(frame.layer)}</text>'
    )


def _line(above: Room, below: Room, count: int) -> str:
    middle = (above.bottom + below.y) / 2
    weight = min(0.6 + count / 12, 3)
    return (
        f'<path d="M{above.centre} {above.bottom} C{above.centre} {middle:.1f} '
        f'{below.centre} {middle:.1f} {below.centre} {below.y}" fill="none" '
        f'stroke="#0b6b4f" stroke-opacity="0.13" stroke-width="{weight:.1f}">'
        f"<title>{above.name} imports {below.name}: {count}</title></path>"
    )


def _room(room: Room) -> str:
    name = room.name.rpartition(".")[2]
    count = f"{room.modules} module{'s' if room.modules != 1 else ''}"
    return (
        f'<g><rect x="{room.x}" y="{room.y}" width="{ROOM_WIDTH}" '
        f'height="{ROOM_HEIGHT}" rx="5" fill="#ffffff" stroke="#9db5aa"/>'
        f'<text x="{room.centre}" y="{room.y + 16}" font-size="14" font-weight="600" '
        f'text-anchor="middle" fill="#10241c">{escape(name)}</text>'
        f'<text x="{room.centre}" y="{room.y + 29}" font-size="11" '
        f'text-anchor="middle" fill="#5b6b63">{count}</text></g>'
    )


def _badges(rooms: dict[str, Room]) -> list[tuple[int, int]]:
    """Where each step of the way is marked: on the lower edge of its room, side by side."""
    homes = [_room_of_step(step, rooms) for step in WAY_OF_A_BET]
    points = []
    for number, room in enumerate(homes):
        place, steps = homes[:number].count(room), homes.count(room)
        points.append((room.centre + (2 * place - steps + 1) * (BADGE + 2), room.bottom))
    return points


def _room_of_step(step: Step, rooms: dict[str, Room]) -> Room:
    return rooms[room_of(f"openfelt.{step.module}", set(rooms)) or ""]


def _way(rooms: dict[str, Room]) -> Iterator[str]:
    """A line to each step from the one before it, through the spaces between the rooms."""
    points = _badges(rooms)
    modules = [step.module for step in WAY_OF_A_BET]
    used: Counter[tuple[str, int]] = Counter()
    for step, end in zip(WAY_OF_A_BET, points, strict=True):
        if step.after is None:
            continue
        start = points[modules.index(step.after)]
        if start[1] == end[1] and abs(start[0] - end[0]) < ROOM_WIDTH:
            path = f"M{start[0]} {start[1]} H{end[0]}"
        else:
            path = _detour(start, end, used)
        yield (
            f'<path d="{path}" fill="none" stroke="#c2410c" stroke-width="2" '
            f'stroke-linejoin="round"/>'
        )


def _detour(start: tuple[int, int], end: tuple[int, int], used: Counter[tuple[str, int]]) -> str:
    """A line in the gutters below both rooms, and in the space between two columns."""
    (x, y), (to_x, to_y) = start, end
    below = _lane("row", y, used)
    if to_y == y:
        return f"M{x} {y} V{below} H{to_x} V{to_y}"
    to_below = _lane("row", to_y, used)
    column = (to_x - MARGIN) // COLUMN_WIDTH + (1 if x > to_x else 0)
    between = _lane("column", MARGIN + column * COLUMN_WIDTH - GAP // 2, used)
    return f"M{x} {y} V{below} H{between} V{to_below} H{to_x} V{to_y}"


def _lane(kind: str, edge: int, used: Counter[tuple[str, int]]) -> int:
    """The next free line along a gutter, or beside another one between two columns."""
    taken = used[kind, edge]
    used[kind, edge] += 1
    if kind == "row":
        return edge + BADGE + 4 + taken * LANE
    return edge + (taken + 1) // 2 * (LANE if taken % 2 else -LANE)


def _badge(number: int, point: tuple[int, int]) -> str:
    x, y = point
    return (
        f'<g><circle cx="{x}" cy="{y}" r="{BADGE}" fill="#c2410c" stroke="#ffffff"/>'
        f'<text x="{x}" y="{y + 4}" font-size="11" font-weight="700" fill="#ffffff" '
        f'text-anchor="middle">{number}</text></g>'
    )


def way_of_a_bet() -> str:
    """The steps of a bet as a table in Markdown; the numbers are those of the drawing."""
    rows = [
        f"| {number} | `src/openfelt/{step.module.replace('.', '/')}.py` | {step.what} |"
        for number, step in enumerate(WAY_OF_A_BET, start=1)
    ]
    return "\n".join(["| step | module | what happens |", "|---|---|---|", *rows, ""])
