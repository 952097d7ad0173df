-- One row: a step from papers to items with the number of its rows; im and cim where it knows of variants.
with relations as (
    select variant, count(*) as rows from relations.candidate_relations group by variant
),

items as (
    select variant, status, count(*) as rows from multi_hop.items group by variant, status
),

splits as (
    select variant, split, count(*) as rows from multi_hop.splits group by variant, split
),

released as (
    select variant, count(*) as rows from release.items where released group by variant
),

by_variant as (
    select 8 as place, 'relations' as stage, variant, rows from relations
    union all
    select 9, 'items composed', variant, rows from items
    union all
    select 10, 'items accepted', variant, rows from items where status = 'accepted'
    union all
    select if(split = 'dev', 11, 12), 'items in ' || split, variant, rows from splits
    union all
    select 13, 'items released', variant, rows from released
),

whole as (
    select 1 as place, 'files taken in' as stage, count(*) as rows from corpus.input_files where retired is null
    union all
    select 2, 'papers', count(*) from corpus.papers
    union all
    select 3, 'papers that may be passed on', count(*) from corpus.releasable_papers where releasable
    union all
    select 4, 'papers that may be sources', count(*) from corpus.source_papers where eligible
    union all
    select 5, 'paragraphs asked about', count(*) from single_hop.extractions
    union all
    select 6, 'QA pairs with exact evidence', count(*) from single_hop.qa_pairs where evidence_start is not null
    union all
    select 7, 'QA pairs kept', count(*) from single_hop.qa_pairs where status = 'kept'
)

select place, stage, rows, null::bigint as im, null::bigint as cim
from whole
union all
select
    place,
    stage,
    sum(rows)::bigint,
    coalesce(sum(rows) filter (where variant = 'im'), 0)::bigint,
    coalesce(sum(rows) filter (where variant = 'cim'), 0)::bigint
from by_variant
group by place, stage
order by place
