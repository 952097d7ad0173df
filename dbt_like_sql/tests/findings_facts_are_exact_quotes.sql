-- checks: findings.facts
-- The evidence of each fact equals the text of its paragraph or table between its offsets, and each accepted item has
-- facts of at least two papers.
-- if it fails: items and paragraphs come from different readings of a file. Run `aimsciqa reset --from findings
-- --yes`, then `aimsciqa run`: the replies stay in the journal.
select facts.item_id, facts.evidence
from findings.facts
left join corpus.paragraphs on facts.paragraph_id = paragraphs.paragraph_id
where
    facts.evidence
    is distinct from substring(
        paragraphs.text, facts.evidence_start + 1, facts.evidence_end - facts.evidence_start
    )
union all
select items.item_id, 'fewer than two papers'
from findings.items
left join findings.facts on items.item_id = facts.item_id
where items.status = 'accepted'
group by items.item_id
having count(distinct facts.paper_id) < 2
