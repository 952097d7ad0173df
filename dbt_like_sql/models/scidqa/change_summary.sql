-- One row: a kind of parts, and in how many forums with both versions any of them changed. The paper states it for
-- figures (66.3 %) and tables (54.9 %) of 576 papers (section 3.1).
with both_versions as (
    select forum_id
    from scidqa.manuscripts
    group by forum_id
    having count(*) = 2
),

kinds as (
    select unnest(['section', 'paragraph', 'figure', 'table', 'reference']) as kind
),

counted as (
    select
        kind,
        count(distinct forum_id) filter (where change <> 'same') as changed_forums,
        count(*) filter (where change = 'added') as added,
        count(*) filter (where change = 'removed') as removed,
        count(*) filter (where change = 'changed') as changed,
        count(*) filter (where change = 'same') as same
    from scidqa.changes
    group by kind
)

select
    kinds.kind,
    (select count(*) from both_versions) as forums,
    coalesce(counted.changed_forums, 0) as changed_forums,
    coalesce(counted.changed_forums, 0) / nullif((select count(*) from both_versions), 0) as share,
    coalesce(counted.added, 0) as added,
    coalesce(counted.removed, 0) as removed,
    coalesce(counted.changed, 0) as changed,
    coalesce(counted.same, 0) as same
from kinds
left join counted using (kind)
