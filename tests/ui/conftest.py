"""The browser of the tests of single pages."""

import shutil

import pytest


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs a browser: make test-ui")
    chromium = shutil.which("chromium")
    assert chromium, "the browser is missing: apt-get install chromium"
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--disable-gpu", "--disable-quic"])
        yield browser
        browser.close()
