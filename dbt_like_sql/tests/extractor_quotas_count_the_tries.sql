-- checks: extractor.quotas
-- Every try of EXTRACTOR is counted by the quota of its kind and element, with what became of it.
-- if it fails: quotas and examples are not of the same run. Run `aimsciqa reset --from extractor --yes`, then
-- the same command again: replies come from the journal, no model is asked again.
with counted as (
    select
        kind,
        coalesce(element, 'all') as element,
        count(*) as tries,
        count(*) filter (where status = 'accepted') as accepted,
        count(*) filter (where rejection_reason = 'merged') as merged
    from extractor.examples
    group by all
),

quotas as (
    select * from extractor.quotas where evaluator = 'all'
)

select kind, element, quotas.tries, counted.tries as counted
from quotas
full join counted using (kind, element)
where
    coalesce(quotas.tries, 0) <> coalesce(counted.tries, 0)
    or coalesce(quotas.accepted, 0) <> coalesce(counted.accepted, 0)
    or coalesce(quotas.merged, 0) <> coalesce(counted.merged, 0)
    or quotas.missing <> greatest(0, quotas.wanted - quotas.accepted)
    or (quotas.missing > 0) <> (quotas.why is not null)
