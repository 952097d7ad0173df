-- One row: the verdict of a test of the necessity ledger on an item, and who took it.
select test, model, verdict, detail
from quality.necessity
where item_id = $id
order by test, model
