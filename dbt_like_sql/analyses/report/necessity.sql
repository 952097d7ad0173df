-- One row: a test of the necessity ledger over the items of a kind.
select variant, test, model, passed, failed, unknown, not_applicable, value, low, high
from quality.necessity_rates
where passed + failed + unknown > 0
order by variant desc, test, model
