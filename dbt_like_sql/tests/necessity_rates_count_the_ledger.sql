-- checks: quality.necessity_rates
-- The rates count every verdict of the ledger, and a share lies within its interval.
-- if it fails: the rates are older than the ledger. Materialize quality/necessity_rates, or `aimsciqa run`, which
-- does that wherever it is needed.
with counted as (
    select variant, test, model, count(*) as items
    from quality.necessity
    group by variant, test, model
)

select rates.variant, rates.test, rates.model, counted.items
from quality.necessity_rates as rates
left join counted
    on rates.variant = counted.variant and rates.test = counted.test and rates.model = counted.model
where
    rates.passed + rates.failed + rates.unknown + rates.not_applicable is distinct from counted.items
    or not coalesce(rates.value between rates.low - 1e-9 and rates.high + 1e-9, true)
