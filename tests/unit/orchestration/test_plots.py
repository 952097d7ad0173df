import re
from urllib.parse import unquote

import polars as pl

from aimsciqa_assets.orchestration.plots import SHOWN_AT_ONCE, plot


def svg_in(markdown: str) -> str:
    return unquote(re.fullmatch(r"!\[\w+\]\(<data:image/svg\+xml,(.+)>\)\n\n.*", markdown)[1])


def test_texts_make_a_table_with_bars_to_an_eighth_of_a_character():
    rows = pl.DataFrame(
        {
            "kind": ["methods", "results", "methods", "other"],
            "rows": [1600, 800, 3, 0],
            "status": ["kept", "kept", "rejected", "kept"],
        }
    )
    assert plot(rows, "Questions.") == (
        "|kind|kept|rejected|\n"
        "|---|---|---|\n"
        "|methods|████████████ 1,600|▏ 3|\n"
        "|results|██████ 800|0|\n"
        "|other|0|0|\n\n"
        "Questions."
    )


def test_numbers_make_a_histogram_with_the_height_of_each_bin():
    rows = pl.DataFrame({"strength": [0.5, 0.6, 0.8], "rows": [10, 5, 1]})
    svg = svg_in(plot(rows, "Strengths."))
    assert "d='M40 116V16h85V66h85V116h85V106h85V116'" in svg  # a bin of 85 each, 100 high; 0.7 is empty
    assert re.findall(r"<text[^>]*>([^<]*)</text>", svg) == ["10", "0.5", "0.7"]


def test_many_bins_are_put_together():
    years = list(range(1925, 2025))
    svg = svg_in(plot(pl.DataFrame({"year": years, "rows": [1] * 100}), "Years."))
    assert "d='M40 116V16h340V116'" in svg  # 20 bins of five years, all of the same height
    assert ">5</text>" in svg


def test_a_single_bin_is_drawn():
    svg = svg_in(plot(pl.DataFrame({"year": [2024], "rows": [7]}), "Years."))
    assert "d='M40 116V16h340V116'" in svg


def test_the_largest_plots_are_shown_at_once():
    counts = [123_456 - (37 * place) % 97 * 1_200 for place in range(40)]
    edges = [0.35 + 0.05 * place for place in range(20)] * 2
    variants = ["im"] * 20 + ["cim"] * 20
    histogram = plot(pl.DataFrame({"strength": edges, "rows": counts, "variant": variants}), "x" * 80)
    kinds = [f"results_discussion_{place}" for place in range(10)] * 2
    bars = plot(pl.DataFrame({"kind": kinds, "rows": counts[:20], "variant": variants[10:30]}), "x" * 80)
    assert len(histogram) < SHOWN_AT_ONCE
    assert len(bars) < SHOWN_AT_ONCE


def test_nothing_to_plot_is_said():
    empty = pl.DataFrame({"kind": [], "rows": []}, schema={"kind": pl.String, "rows": pl.Int64})
    assert plot(empty, "Questions.") == "Questions. (no rows)"
