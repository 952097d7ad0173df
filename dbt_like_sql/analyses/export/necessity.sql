-- One row: a test of the necessity ledger over all accepted items of a kind, released or not.
select variant, test, model, passed, failed, unknown, value as share, low, high
from quality.necessity_rates
where passed + failed > 0
order by variant desc, test, model
