"""How many small defects the tests find: `python -m benchmarks.mutants`.

Plants one defect at a time into a copy of the tree and runs the tests that import the module, then those
of the whole pipeline. A defect turns a comparison, swaps an operator, negates a condition, moves a number
by one, or makes an `and` an `or`. Defects are drawn at random over all rooms with a fixed seed. Nobody
chose them, so some change nothing that can be seen. `--beside TREE` draws only from functions that read
the same in another checkout, so that the tests of two checkouts can be compared on the same defects. The
outcome of every defect goes into `benchmarks/results/mutants.json`.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "mutants.json"
SOURCES = {"aimsciqa_assets": ROOT, "aimsciqa_resources": ROOT / "resources"}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}

NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "data", "__pycache__", ".mypy_cache", ".hypothesis")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A defect: the `number`th place of a function that can be mutated. `function` is its qualified name."""

    room: str
    file: str
    function: str
    code: str
    number: int
    change: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests said of a mutant; `found` by a failing test, or not."""

    mutant: Mutant
    found: bool
    by: str
    seconds: float


def main() -> None:
    """Plant, test and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout whose tests are judged")
    parser.add_argument(
        "--beside", type=Path, help="another checkout; only functions that both have are drawn"
    )
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument(
        "--skip", type=int, default=0, help="how many were tried before; those after them are the same"
    )
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--patience", type=float, default=300, help="seconds of tests for each defect")
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    drawn = drawn_mutants(options.tree, options.beside, options.count, options.seed)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(options.tree, copy, ignore=NOT_COPIED)
        (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        for mutant in drawn[options.skip :]:
            outcomes.append(tried(mutant, copy, options.patience))
            print("found  " if outcomes[-1].found else "MISSED ", mutant.file, mutant.function, mutant.change)
            # What is known stays, should the rest be interrupted.
            options.result.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n")
    print_shares(outcomes)


def drawn_mutants(tree: Path, beside: Path | None, count: int, seed: int) -> list[Mutant]:
    """`count` mutants, as many from each room as possible, in an order that is the same in both checkouts."""
    here = {(mutant.code, mutant.number): mutant for mutant in mutants_of(tree)}
    if beside is not None:
        shared = {(mutant.code, mutant.number) for mutant in mutants_of(beside)}
        here = {key: mutant for key, mutant in here.items() if key in shared}
    # Rooms are those of this checkout, wherever the other one keeps the function.
    rooms = {(mutant.code, mutant.number): mutant.room for mutant in mutants_of(ROOT)}
    of_room = defaultdict(list)
    for key in sorted(here.keys() & rooms.keys()):
        of_room[rooms[key]].append(here[key])
    generator = random.Random(seed)
    for room in sorted(of_room):
        generator.shuffle(of_room[room])
    drawn: list[Mutant] = []
    while len(drawn) < count and any(of_room.values()):
        drawn += [mutants.pop() for _, mutants in sorted(of_room.items()) if mutants]
    return drawn[:count]


def mutants_of(tree: Path) -> Iterator[Mutant]:
    """Every mutant of the functions of a checkout."""
    for package in ("aimsciqa_assets", "resources/aimsciqa_resources"):
        for path in sorted((tree / package).rglob("*.py")):
            inside = path.relative_to(tree / package).parts
            room = "resources" if package.startswith("resources") else inside[0].removesuffix(".py")
            for name, function in functions_of(ast.parse(path.read_text())):
                code = blake2b(ast.unparse(function).encode(), digest_size=8).hexdigest()
                for number, (_, change) in enumerate(places_in(function)):
                    yield Mutant(room, str(path.relative_to(tree)), name, code, number, change)


def functions_of(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a module with their qualified names, without those inside of others."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{prefix}{node.name}.")


def places_in(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str]]:
    """The nodes of a function that can be mutated, and what the mutation does."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
            yield node, f"turn the comparison in `{ast.unparse(node)}`"
        elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
            yield node, f"another operator in `{ast.unparse(node)}`"
        elif isinstance(node, ast.BoolOp):
            yield node, f"`and` for `or`, or the reverse, in `{ast.unparse(node)}`"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, f"drop the `not` of `{ast.unparse(node)}`"
        elif isinstance(node, ast.If):
            yield node, f"negate `if {ast.unparse(node.test)}`"
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield node, f"{node.value} + 1"


def mutated(source: str, mutant: Mutant) -> str:
    """The source of a module with the mutant in it."""
    tree = ast.parse(source)
    function = dict(functions_of(tree))[mutant.function]
    node = list(places_in(function))[mutant.number][0]
    if isinstance(node, ast.Compare):
        node.ops[0] = TURNED[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    elif isinstance(node, ast.UnaryOp):
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.If):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant):
        node.value += 1  # type: ignore[operator]
    return ast.unparse(ast.fix_missing_locations(tree))


def tried(mutant: Mutant, copy: Path, patience: float) -> Outcome:
    """What the tests say of a mutant in the copy of the tree, which is left as it was."""
    path = copy / mutant.file
    source = path.read_text()
    path.write_text(mutated(source, mutant))
    start = time.monotonic()
    try:
        by = failing_test(copy, tests_of(copy, mutant), patience)
    finally:
        path.write_text(source)
    return Outcome(mutant, bool(by), by, time.monotonic() - start)


def tests_of(copy: Path, mutant: Mutant) -> list[str]:
    """The test files that name the module, or that run the whole pipeline; unit tests first."""
    path = Path(mutant.file.removeprefix("resources/")).with_suffix("")
    parts = path.parent.parts if path.name == "__init__" else path.parts
    module, package = ".".join(parts), ".".join(parts[:-1])
    tests = [
        path for kind in ("unit", "assets") for path in sorted((copy / "tests" / kind).rglob("test_*.py"))
    ]
    naming = [path for path in tests if module in (text := path.read_text()) or f"from {package} " in text]
    whole = [copy / f"tests/assets/test_{name}.py" for name in ("main_line", "redoing", "main_line_faults")]
    return [str(path.relative_to(copy)) for path in dict.fromkeys([*naming, *whole])]


def failing_test(copy: Path, tests: list[str], patience: float) -> str:
    """The first test that fails; "" where all pass, or where the time is over before one fails."""
    environment = os.environ | {
        "PYTHONPATH": f"{copy}:{copy / 'resources'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "--no-header", "-rf", *tests]
    try:
        run = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    if run.returncode == 0:
        return ""
    lines = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    failed = [line.split(" - ")[0] for line in lines]
    return failed[0] if failed else f"pytest ended with {run.returncode}"


def print_shares(outcomes: list[Outcome]) -> None:
    """Print how many were found, by room."""
    of_room = defaultdict(list)
    for outcome in outcomes:
        of_room[outcome.mutant.room].append(outcome.found)
    for room, found in sorted(of_room.items()):
        print(f"{room:15} {sum(found):3} of {len(found)}")
    print(f"{'all':15} {sum(outcome.found for outcome in outcomes):3} of {len(outcomes)}")


if __name__ == "__main__":
    main()
