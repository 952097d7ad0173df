"""What an agent reads after its Query: compared with the observations of AirQA's authors."""

import json
import re

import pytest
from aimsciqa_resources.untrusted_sql.pool import UnfitWorkerError

from aimsciqa_assets.airqa.sandbox.observations import Query
from tests.airqa_store import store_at
from tests.reference_cases import SHARED, all_cases

pytestmark = pytest.mark.slow


def words(texts):
    return [len(text.split()) for text in texts]


@pytest.fixture(scope="module")
def query(tmp_path_factory):
    store = store_at(tmp_path_factory.mktemp("store") / "papers.duckdb")
    with Query(store, processes=1, count_tokens=words) as query:
        yield query


@pytest.fixture(scope="module")
def reference_query(tmp_path_factory):
    setup = json.loads((SHARED / "reference-cases" / "airqa-sql-observations-setup.json").read_text())
    rows = {table: setup[table] for table in ("metadata", "pages")}
    store = store_at(tmp_path_factory.mktemp("reference") / "papers.duckdb", rows)
    with Query(store, processes=1, count_tokens=words) as query:
        yield query


@pytest.mark.parametrize("case", all_cases("airqa-sql-observations"))
def test_observations_are_those_of_the_authors(reference_query, case):
    observed = reference_query.observe(case["sql"], **case["kwargs"])
    assert observed.text == case["expected_text"]
    assert observed.message() == case["expected_message"]


def test_ten_rows_are_shown_and_the_trailer_says_that_there_are_more(query):
    *rows, trailer = query.observe("SELECT page_number FROM pages ORDER BY 1").text.splitlines()
    assert rows[0] == '{"page_number":1}'
    assert rows[9:] == ['{"page_number":10}', ""]
    assert trailer == (
        "... # only display 10 rows in JSON format, more are truncated due to length constraint based on "
        "max_rows (10)"
    )


def test_rows_are_shown_while_their_tokens_fit(query):
    text = query.observe("SELECT page_content FROM pages ORDER BY page_number", max_tokens=2_108).text
    # 0 + 100 + ... + 600 words fit, and one word of each row is the name of its column.
    assert len(text.splitlines()) == 7 + 2
    text = query.observe("SELECT page_content FROM pages ORDER BY page_number DESC", max_tokens=100).text
    assert len(text.splitlines()) == 1 + 2  # 2,401 words
    assert text.endswith(
        "... # only display 1 rows in JSON format, more are truncated due to length constraint based on "
        "max_tokens (100)"
    )


@pytest.mark.parametrize(
    ("sql", "output_format", "beginning"),
    [
        ("SELECT repeat('a', 30000) AS a", "json", '{"a":"aaa'),
        ("SELECT repeat('a', 500000) AS a", "string", "   "),
        ("SELECT repeat('é', 20000) AS a, 1 AS b", "html", "<table"),
        ("SELECT repeat('a', 3000) AS a FROM range(10)", "markdown", "+---"),
        (f"SELECT 1 AS {'a' * 21_000}", "json", '{"aaa'),
    ],
)
def test_a_long_observation_is_cut_and_says_so(query, sql, output_format, beginning):
    observed = query.observe(sql, output_format=output_format)
    assert 19_990 <= len(observed.message()["content"]) <= 20_000
    assert observed.text.startswith(beginning)
    cut, trailer = observed.text.rsplit("\n", 1)
    assert cut.endswith(" more characters are left out")
    assert f"rows are displayed in {output_format.upper()} format." in trailer


def test_the_mark_counts_what_is_left_out(query):
    text = query.observe("SELECT repeat('a', 30000) AS a").text
    (left_out,) = re.findall(r"\.\.\. # (\d+) more characters are left out\n", text)
    assert text.count("a", 0, text.index("...")) - 1 + int(left_out) == 30_000 + len('"}\n')


def test_an_observation_that_fits_is_whole(query):
    text = query.observe("SELECT repeat('a', 19900) AS a").text
    assert text == '{"a":"' + "a" * 19_900 + '"}\n\nIn total, 1 rows are displayed in JSON format.'


@pytest.mark.parametrize(
    ("sql", "row"),
    [
        ("SELECT NULL::varchar AS a, 1 AS b", '{"a":"None","b":1}'),
        ("SELECT ['A', NULL] AS a", '{"a":"[\'A\' None]"}'),
        ("SELECT [1, 2] AS a, [1.5, 2.25] AS b", '{"a":"[1 2]","b":"[1.5  2.25]"}'),
        ("SELECT [1, NULL] AS a", '{"a":"[1 --]"}'),
        ("SELECT 'a/b é' AS a", '{"a":"a\\/b \\u00e9"}'),
        ("SELECT 1 AS a, 2.5 AS b", '{"a":1.0,"b":2.5}'),
        ("SELECT true AS a, 'x' AS b", '{"a":true,"b":"x"}'),
        ("SELECT paper_id FROM metadata", '{"paper_id":"e00dcbd6-facc-5d2d-9da1-eee11a20fe71"}'),
        ("SELECT DATE '2020-01-01' AS a", '{"a":1577836800000}'),
        ("SELECT NULL::date AS a UNION ALL SELECT DATE '2020-01-01'", '{"a":null}'),
        ("SELECT INTERVAL 2 SECOND AS a", '{"a":2000}'),
        ("SELECT {'k': 1} AS a", '{"a":"{\'k\': 1}"}'),
        ("SELECT 1 AS a, 2 AS a", '{"a":1,"a_1":2}'),
        ("SELECT list_transform([1], x -> x + 1) AS a", '{"a":"[2]"}'),
        ("SELECT list_transform([1], lambda x: x + 1) AS a", '{"a":"[2]"}'),
    ],
)
def test_cells_in_json(query, sql, row):
    assert query.observe(sql).text.splitlines()[0] == row


@pytest.mark.parametrize(
    "sql",
    [
        *("SELECT 1 AS a;", "SELECT 1 AS a; -- counts", "SELECT 1 AS a /* ; */ ; /* so */ ;;"),
        *("SELECT 1 AS a -- no end", "SELECT 0 AS b; SELECT 1 AS a; -- the last", "SELECT 1 AS a -- ;\n;"),
    ],
)
def test_semicolons_and_comments_may_follow_a_statement(query, sql):
    assert query.observe(sql).text.splitlines()[0] == '{"a":1}'
    assert query.observe("SELECT ';' AS a; -- é").text.splitlines()[0] == '{"a":";"}'


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("SELECT titel FROM metadata", "\n\nLINE 1: SELECT titel FROM metadata\n               ^"),
        ("SELECT 1,\n'x'::uuid", "\n\nLINE 2: 'x'::uuid\n           ^^^^^^"),
        ("SELECT\n1 +\n", "\n\nLINE 2: 1 +\n          ^"),
    ],
)
def test_errors_say_in_which_line_of_the_statement(query, sql, place):
    assert place in query.observe(sql).text


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT titel FROM metadata", 'Candidate bindings: "title"'),
        ("SELECT title FROM metdata", 'Did you mean "metadata"?'),
        ("PIVOT pages ON page_number", "PIVOT must name its values: PIVOT table ON column IN (value, ...)"),
        (f"SELECT * FROM {'(SELECT * FROM ' * 5000}pages{')' * 5000}", "nested too deeply."),
    ],
)
def test_errors_help(query, sql, told):
    assert told in query.observe(sql).text


@pytest.mark.parametrize(
    ("sql", "ending"),
    [
        ("SELECT stem('running', 'english')", "but it exists in the fts extension."),
        ("SELECT reservoir_quantile(i, 0.5, 2000000000) FROM range(10) t(i)", "Memory allocation failure"),
        ("SELECT list(i) FROM range(1000000000) t(i)", "384.0 MiB used)"),
    ],
)
def test_errors_give_no_advice_that_cannot_be_followed_and_no_paths(query, sql, ending):
    assert query.observe(sql).text.endswith(ending)


def test_chance_is_the_same_each_time(query):
    # An evaluation that was killed sees the same when it goes on, and pays for no other turn.
    sql = "SELECT random() AS r, (SELECT list(page_number) FROM (FROM pages USING SAMPLE 3)) AS s"
    assert query.observe(sql) == query.observe(sql)


def test_other_formats(query):
    sql = "SELECT title, authors FROM metadata"
    assert query.observe(sql, output_format="markdown").text == (
        "+-----------+---------------+\n"
        "|   title   |    authors    |\n"
        "+-----------+---------------+\n"
        "| Title one | ['A B' 'C D'] |\n"
        "+-----------+---------------+\n"
        "In total, 1 rows are displayed in MARKDOWN format."
    )
    assert query.observe(sql, output_format="string").text == (
        "    title    authors\nTitle one [A B, C D]\nIn total, 1 rows are displayed in STRING format."
    )
    assert "<td>[A B, C D]</td>" in query.observe(sql, output_format="html").text
    assert query.observe(sql, output_format="yaml").text == (
        "[Error]: Runtime error during SQL execution and output formatting: The output format must be one of "
        "markdown, string, html, json."
    )


def test_errors_and_late_statements_are_observations_and_the_next_statement_runs(query):
    wrong = query.observe("SELECT nothing FROM pages")
    assert wrong.failed
    assert wrong.text.startswith(
        "[Error]: Runtime error during SQL execution and output formatting: Binder Error"
    )
    endless = "WITH RECURSIVE t AS (SELECT 1 i UNION ALL SELECT i + 1 FROM t) SELECT max(i) FROM t"
    late = query.observe(endless, max_timeout=0.5)
    assert late.message()["content"] == (
        "[Observation]: [TimeoutError]: The SQL execution is TIMEOUT given maximum 0.5 seconds."
    )
    assert query.observe("SELECT 1 AS a").text.startswith('{"a":1}')


def test_a_file_that_is_no_store_is_told(tmp_path):
    (tmp_path / "papers.duckdb").write_text("no database")
    with Query(tmp_path / "papers.duckdb") as query, pytest.raises(UnfitWorkerError, match="cannot be asked"):
        query.observe("SELECT 1")
