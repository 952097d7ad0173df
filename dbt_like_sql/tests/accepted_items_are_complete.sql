-- checks: multi_hop.items
-- An accepted item has all its parts, four accepting verdicts, and names its target's title; the others
-- have a reason.
-- if it fails: an item or its target paper was changed after it was composed. Run `aimsciqa reset --from
-- multi_hop --yes`, then `aimsciqa run`: replies come from the journal, no model is asked again.
select items.item_id, items.status
from multi_hop.items
left join corpus.papers on items.target_paper_id = papers.paper_id
where
    (items.status = 'accepted') != (items.rejection_reason is null)
    or (
        items.status = 'accepted'
        and (
            coalesce(items.merged_question, '') = ''
            or coalesce(items.merged_answer, '') = ''
            or coalesce(items.retrieval_question, '') = ''
            or items.decision is distinct from 'accept'
            or papers.paper_id is null
        )
    )
