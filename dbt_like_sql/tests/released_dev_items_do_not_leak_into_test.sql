-- checks: release.items
-- No released dev item shares a paper in hand, all its papers or, with multi_hop.kept_apart = evidence, a quote
-- with a released test item, of any kind.
-- if it fails: a model trained on dev has seen parts of test. The rows are older than the items or their splits:
-- materialize release/items and release/files.
with released as (
    select item_id, split
    from release.items
    where released
),

whole as (
    select released.item_id, released.split, list_sort(list(documents.paper_id)) as papers
    from released
    inner join item_documents as documents on released.item_id = documents.item_id
    group by all
),

shared as (
    select released.item_id, released.split, documents.paper_id as what
    from released
    inner join item_documents as documents on released.item_id = documents.item_id
    where documents.in_hand
    union all
    select released.item_id, released.split, quotes.paragraph_id || ' ' || quotes.evidence_start
    from released
    inner join item_quotes as quotes on released.item_id = quotes.item_id
    where $multi_hop__kept_apart = 'evidence'
)

select item_id
from shared
where split = 'dev' and what in (select what from shared where split = 'test')
union
select item_id
from whole
where split = 'dev' and papers in (select papers from whole where split = 'test')
