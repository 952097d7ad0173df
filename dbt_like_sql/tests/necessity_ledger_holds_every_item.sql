-- checks: quality.necessity
-- Every accepted item has a verdict in every test that the settings name, and nothing else has one.
-- if it fails: the items are newer than the ledger. Materialize quality/necessity, or `aimsciqa run`, which does
-- that wherever it is needed.
with wanted as (
    select questions.item_id, tests.test
    from item_questions as questions
    cross join (select unnest(string_split(trim($necessity__tests), ' ')) as test) as tests
    where exists (from quality.necessity) and tests.test != ''
),

held as (
    select distinct item_id, test
    from quality.necessity
)

select
    coalesce(wanted.item_id, held.item_id) as item_id,
    coalesce(wanted.test, held.test) as test,
    if(held.item_id is null, 'missing', 'of no accepted item') as problem
from wanted
full join held on wanted.item_id = held.item_id and wanted.test = held.test
where held.item_id is null or wanted.item_id is null
