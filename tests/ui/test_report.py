"""The report in a real browser, from its file: nothing leaves the page, and its items can be walked through.

With `SCREENSHOTS=folder` (`make screenshots`) the demo is run, and the pictures of the README go to that
folder.
"""

import os
from pathlib import Path

import pytest

from tests.demo_home import finished_demo
from tests.report_warehouse import add_item, empty_warehouse, full_warehouse, page_of

playwright = pytest.importorskip("playwright.sync_api", reason="needs a browser: make test-ui")
expect = playwright.expect

HOSTILE = "</script><script>console.error('ran')</script><img src='https://example.org/x' onerror='x()'>"
DESKTOP, PHONE = {"width": 1280, "height": 1000}, {"width": 390, "height": 844}


@pytest.fixture
def opened(browser):
    """Opens a file as a reader would; at the end nothing was fetched, and nobody complained."""
    errors, requests, contexts = [], [], []

    def open_page(file: Path, fragment: str = "", **options):
        context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce"} | options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url.partition("#")[0]))
        page.goto(file.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
    assert {url.rpartition("/")[2] for url in requests} == {"report.html"}
    assert len(requests) == len(contexts)


@pytest.fixture
def report(tmp_path) -> Path:
    """A report of six items, every text of which tries to break out."""
    with full_warehouse(HOSTILE) as connection:
        for number in range(4):
            add_item(connection, f"more-{number}", "PMC1", "doi:10.5/a", words=HOSTILE)
        file = tmp_path / "report.html"
        file.write_text(page_of(connection), encoding="utf-8")
    return file


def shown(page) -> list[str]:
    return [item.get_attribute("id") for item in page.locator("article.item:visible").all()]


def test_items_are_walked_through_by_button_and_by_key(opened, report):
    page = opened(report, "#browse")
    order = page.locator("article.item").evaluate_all("items => items.map(item => item.id)")
    position, following = page.locator("#position"), page.get_by_role("button", name="Next")
    assert len(order) == 6
    assert shown(page) == order[:1]
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()

    following.click()
    assert shown(page) == order[1:2]
    expect(position).to_have_text("2 of 6")
    assert page.url.endswith(f"#{order[1]}")
    page.keyboard.press("ArrowRight")
    assert shown(page) == order[2:3]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == order[:1]
    page.locator(f"[data-item={order[5]}] a").click()
    # A link and the way back show their item a moment later.
    expect(page.locator(f"#{order[5]}")).to_be_visible()
    assert shown(page) == order[5:]
    expect(following).to_be_disabled()
    page.go_back()
    expect(page.locator(f"#{order[0]}")).to_be_visible()
    assert shown(page) == order[:1]


def test_keys_mean_something_else_elsewhere(opened, report):
    page = opened(report)
    first = page.locator("article.current").get_attribute("id")
    page.keyboard.press("ArrowRight")  # the items are below what is on the screen
    page.locator("#browse").scroll_into_view_if_needed()
    page.locator("#by-split").focus()
    page.keyboard.press("ArrowRight")  # chooses a split
    page.locator("#by-split").select_option("")
    assert page.locator("article.current").get_attribute("id") == first


def test_items_are_filtered_by_variant_and_split(opened, report):
    page = opened(report, "#browse")
    page.locator("#by-variant").select_option("cim")
    assert shown(page) == ["item-item-cim"]
    expect(page.locator("#position")).to_have_text("1 of 1")
    expect(page.locator("[data-item]")).to_have_count(1)
    page.locator("#by-variant").select_option("im")
    expect(page.locator("#position")).to_have_text("1 of 5")


def test_a_link_leads_to_an_item_whatever_is_filtered(opened, report):
    page = opened(report, "#item-more-2")
    expect(page.locator("#item-more-2")).to_be_visible()
    assert shown(page) == ["item-more-2"]
    assert page.locator("#position").evaluate("element => element.getBoundingClientRect().top") < 100
    page.locator("#by-variant").select_option("cim")
    page.evaluate("location.hash = '#item-more-3'")
    expect(page.locator("#item-more-3")).to_be_visible()
    assert shown(page) == ["item-more-3"]


def test_hostile_texts_stay_texts(opened, report):
    page = opened(report, "#item-item-im")
    expect(page.locator("#item-item-im h3")).to_contain_text(HOSTILE)
    expect(page.locator("script:not([type])")).to_have_count(1)
    expect(page.locator("img")).to_have_count(0)


def test_what_got_past_the_template_would_not_run(browser, report):
    """The policy is a second wall: a script and a picture planted in the page do nothing."""
    planted = "<script>document.title = 'ran'</script><img src='https://example.org/x'></main>"
    report.write_text(report.read_text().replace("</main>", planted))
    refused = []
    page = browser.new_page()
    page.on("console", lambda said: refused.append(said.text) if said.type == "error" else None)
    page.on("response", lambda response: refused.append(response.url) if "example" in response.url else None)
    page.goto(report.as_uri())
    assert page.title() == "test-set: report"
    page.close()
    assert len(refused) == 2
    assert all("Content Security Policy" in said for said in refused)


def test_without_script_all_items_stand_there(opened, report):
    page = opened(report, java_script_enabled=False)
    assert len(shown(page)) == 6
    expect(page.locator(".toolbar")).to_be_hidden()


def test_everything_is_printed(opened, report):
    page = opened(report)
    page.emulate_media(media="print")
    assert len(shown(page)) == 6
    expect(page.locator(".toolbar")).to_be_hidden()
    expect(page.locator("nav.sections")).to_be_hidden()


def test_nothing_reaches_over_the_edge_of_a_phone(opened, report):
    page = opened(report, "#item-item-im", viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_report_on_nothing(opened, tmp_path):
    file = tmp_path / "report.html"
    with empty_warehouse() as connection:
        file.write_text(page_of(connection), encoding="utf-8")
    page = opened(file)
    expect(page.get_by_text("No items yet.").last).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(opened, report, scheme):
    """Contrast of 4.5 to 1 (WCAG AA) for text, quiet text, links and marked evidence."""
    page = opened(report, "#item-item-im", color_scheme=scheme)
    assert (
        page.evaluate("getComputedStyle(document.body).backgroundColor")
        == {
            "light": "rgb(255, 255, 255)",
            "dark": "rgb(21, 24, 27)",
        }[scheme]
    )
    for text in ("h1", ".lead", ".published", ".paper a", "mark.core", "mark.retrieval", ".badge", ".fail b"):
        colours = page.locator(text).first.evaluate(
            """element => {
                const opaque = colour => colour !== "rgba(0, 0, 0, 0)";
                let ground = element;
                while (!opaque(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
                return [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
            }"""
        )
        assert contrast(*colours) >= 4.5, (text, colours)


def contrast(one: str, other: str) -> float:
    """Of two colours written rgb(1, 2, 3): the ratio of their luminances, WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_pictured_in_both_schemes(opened, report, tmp_path, scheme):
    picture(opened, report, tmp_path, color_scheme=scheme)
    picture(opened, report, tmp_path, color_scheme=scheme, viewport=PHONE)


@pytest.mark.slow
@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="pictures of the README: make screenshots")
def test_pictures_of_the_demo(opened, tmp_path):
    aimsciqa = finished_demo(tmp_path / "home")
    picture(opened, aimsciqa.home / "report.html", Path(os.environ["SCREENSHOTS"]))


def picture(opened, report: Path, folder: Path, **options) -> None:
    """The top of the page, the list of items, and an item."""
    folder.mkdir(exist_ok=True)
    for name, part, height in (
        ("report.png", ".top", 1100),
        ("report-items.png", "#browse-title", 960),
        ("report-item.png", ".steps-to", 1200),
    ):
        page = opened(report, **{"viewport": {"width": 1280, "height": height}} | options)
        page.locator(part).evaluate("element => element.scrollIntoView()")
        page.screenshot(path=folder / name)
        assert 10_000 < (folder / name).stat().st_size < 300_000
