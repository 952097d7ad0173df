-- One row: a figure of Table 2 of the AIM-SciQA paper, over this corpus. Lengths are in characters.
-- The paper averages "per paper" over the pairs before the alignment filter; both averages are given. A triplet
-- that a reply repeats counts once.
with grounded as (
    select *
    from single_hop.qa_pairs
    where evidence_start is not null and rejection_reason is distinct from 'repeated'
),

kept as (
    select * from single_hop.qa_pairs where status = 'kept'
),

shared_evidence as (
    select paragraph_id, evidence_start, evidence_end
    from kept
    group by all
    having count(*) >= 2
),

figures as (
    select 1 as place, 'QA pairs asked for and written' as item, count(*)::double as value, 'pairs' as unit
    from single_hop.qa_pairs
    union all
    select 2, 'QA pairs with exact evidence', count(*), 'pairs' from grounded
    union all
    select 3, 'QA pairs kept', count(*), 'pairs' from kept
    union all
    select 4, 'average question length', avg(length(question)), 'characters' from kept
    union all
    select 5, 'average answer length', avg(length(answer)), 'characters' from kept
    union all
    select 6, 'QA pairs per paper, before the alignment filter', count(*) / nullif(count(distinct paper_id), 0), 'pairs'
    from grounded
    union all
    select 7, 'QA pairs per paper', count(*) / nullif(count(distinct paper_id), 0), 'pairs' from kept
    union all
    select 8, 'QA pairs per section', count(*) / nullif(count(distinct section_id), 0), 'pairs' from kept
    union all
    select 9, 'evidence spans with two or more QA pairs', count(*), 'spans' from shared_evidence
    union all
    select 10, 'QA pairs a normalised match would have kept besides', count(*), 'pairs'
    from single_hop.qa_pairs
    where normalised_match and evidence_start is null
)

select item, value, unit
from figures
order by place
