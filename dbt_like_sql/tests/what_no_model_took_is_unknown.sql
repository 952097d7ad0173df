-- checks: quality.necessity
-- Where no model took a test that needs one, its verdict is unknown, and it says so: no_model.
-- if it fails: the table was changed by hand. Run `aimsciqa reset --from quality --yes`, then `aimsciqa run`.
select item_id, test, verdict, detail
from quality.necessity
where
    model = 'none'
    and (verdict not in ('unknown', 'not_applicable') or (verdict = 'unknown' and detail != 'no_model'))
