-- One row: a test of the necessity ledger over the items of a kind, with the share that passed and its 95 % interval.
select
    variant || ' ' || test as test,
    model,
    passed,
    failed,
    unknown,
    format('{:.2f}', value)
        || coalesce(replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as share
from quality.necessity_rates
where passed + failed + unknown > 0
order by variant desc, quality.necessity_rates.test, model
