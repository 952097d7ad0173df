-- checks: hopweaver.items
-- An accepted item has question and answer in both versions, two different documents with a quote each, and no
-- reason; all others have a reason. What the polisher rejected, or said nothing readable of, is not accepted,
-- nor is what the strict reader did not pass.
-- if it fails: an item was changed after it was decided. Run `aimsciqa reset --from hopweaver --yes`, then
-- `aimsciqa run`: replies come from the journal, no model is asked again.
with quoted as (
    select item_id, count(distinct paper_id) as papers
    from hopweaver.evidence
    group by item_id
)

select items.item_id, items.status
from hopweaver.items
left join quoted on items.item_id = quoted.item_id
left join hopweaver.readings on items.item_id = readings.item_id
where
    (items.status = 'accepted') <> (items.rejection_reason is null)
    or (
        items.status = 'accepted'
        and (
            '' in (coalesce(items.question, ''), coalesce(items.answer, ''))
            or '' in (coalesce(items.original_question, ''), coalesce(items.original_answer, ''))
            or items.first_paper_id is not distinct from items.second_paper_id
            or quoted.papers is distinct from 2
            or coalesce(items.polisher_status, 'error') in ('rejected', 'error')
            or coalesce(readings.status, 'passed') <> 'passed'
        )
    )
