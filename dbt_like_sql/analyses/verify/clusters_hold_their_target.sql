-- A cluster holds the gold papers, no paper in hand, each paper once, and only papers that are listed.
select documents.item_id, if(documents.gold, 'target is no member', 'source is a member') as problem
from documents
inner join items on documents.item_id = items.item_id
where
    len(items.pool) > 0
    and (
        (documents.gold and not list_contains(items.pool, documents.paper_id))
        or (documents.in_hand and list_contains(items.pool, documents.paper_id))
    )
union all
select item_id, 'a paper stands in it twice'
from items
where len(pool) <> len(list_distinct(pool))
union all
select members.item_id, 'not listed: ' || members.paper_id
from (select item_id, unnest(pool) as paper_id from items) as members
left join corpus.papers on members.paper_id = papers.paper_id
where papers.paper_id is null
