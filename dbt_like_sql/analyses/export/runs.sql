-- One row: the papers that a retriever ranks for a released item, by retrievers that ranked all of these items
-- that are evaluated. BM25 is left out: a release has its own run of it, over the texts that are in it.
with asked as (
    select release_items.item_id
    from release.items as release_items
    inner join benchmark.queries on release_items.item_id = queries.item_id
    where release_items.released
),

ranked as (
    select rankings.*
    from benchmark.rankings
    inner join asked on rankings.item_id = asked.item_id
    where rankings.setting in ('cluster', 'full') and rankings.retriever <> 'bm25'
),

complete as (
    select retriever
    from ranked
    where setting = 'full'
    group by retriever
    having count(*) = (
        select count(*)
        from asked
        inner join (select distinct item_id from item_documents where gold) using (item_id)
    )
)

select ranked.retriever, ranked.setting, ranked.item_id, ranked.papers
from ranked
inner join complete on ranked.retriever = complete.retriever
order by ranked.retriever, ranked.setting, ranked.item_id
