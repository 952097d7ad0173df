-- checks: release.items
-- No item of a published set is released: others wrote it, and a copy of it would leak their test data.
-- if it fails: a document of the set was taken in as an ordinary one. Do not publish the release; take the set in
-- again with `aimsciqa baseline`, then `aimsciqa run`.
select items.item_id, items.variant
from release.items
semi join baseline_sets.records as records on items.item_id = records.item_id
where items.released
