-- A cluster holds the target, not the source, each paper once, and only papers that are listed.
select item_id, 'target is no member' as problem
from multi_hop
where not list_contains(cluster, target.paper_id)
union all
select item_id, 'source is a member'
from multi_hop
where list_contains(cluster, source.paper_id)
union all
select item_id, 'a paper stands in it twice'
from multi_hop
where len(cluster) <> len(list_distinct(cluster))
union all
select members.item_id, 'not listed: ' || members.paper_id
from (select item_id, unnest(cluster) as paper_id from multi_hop) as members
left join corpus.papers on members.paper_id = papers.paper_id
where papers.paper_id is null
