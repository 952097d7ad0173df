-- One row: a step from papers to items with the number of its rows, and by kind where it knows of kinds.
with relations as (
    select variant, count(*) as rows from relations.candidate_relations group by variant
),

composed as (
    select variant, count(*) as rows from multi_hop.items group by variant
    union all
    select kind, count(*) from hopweaver.attempts where status = 'drafted' group by kind
),

accepted as (
    select variant, split, count(*) as rows from item_questions group by variant, split
),

released as (
    select variant, count(*) as rows from release.items where released group by variant
),

by_variant as (
    select 8 as place, 'relations' as stage, variant, rows from relations
    union all
    select 9, 'items composed', variant, rows from composed
    union all
    select 10, 'items accepted', variant, sum(rows)::bigint from accepted group by variant
    union all
    select if(split = 'dev', 11, 12), 'items in ' || split, variant, rows from accepted where split is not null
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
    where rejection_reason is distinct from 'not_recorded'
    union all
    select 6, 'QA pairs with exact evidence', count(*) from single_hop.qa_pairs
    where evidence_start is not null and rejection_reason is distinct from 'repeated'
    union all
    select 7, 'QA pairs kept', count(*) from single_hop.qa_pairs where status = 'kept'
)

select place, stage, rows, null as kinds
from whole
union all
select place, stage, sum(rows)::bigint, list({ 'variant': variant, 'rows': rows } order by variant)
from by_variant
group by place, stage
order by place
