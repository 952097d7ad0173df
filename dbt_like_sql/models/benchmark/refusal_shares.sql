-- One row: a criterion, and the share of the refused pairs of a variant that fail it. The paper states the share
-- for relational appropriateness or cross-reference necessity together: about 70 %.
with verdicts as (
    select variant, item_id, criterion, verdict = 'reject' as fails
    from benchmark.refusals
    where verdict is not null
    union all
    select
        variant,
        item_id,
        'relational_appropriateness or cross_reference_necessity',
        bool_or(verdict = 'reject')
    from benchmark.refusals
    where verdict is not null and criterion in ('relational_appropriateness', 'cross_reference_necessity')
    group by variant, item_id
)

select variant, criterion, count(*) as judged, count(*) filter (where fails) as failed, failed / judged as share
from verdicts
group by variant, criterion
