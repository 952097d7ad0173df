-- checks: single_hop.qa_pairs
-- Every kept pair's evidence equals the text of its paragraph between its offsets.
-- if it fails: the paragraphs were read anew after the pairs were made, or a pair was changed by hand; no
-- such pair may go into a benchmark. `aimsciqa reset --from single_hop --yes`, then `aimsciqa run`: replies
-- come from the journal, no model is asked again.
select pairs.qa_id, pairs.evidence, paragraphs.text
from single_hop.qa_pairs as pairs
left join corpus.paragraphs on pairs.paragraph_id = paragraphs.paragraph_id
where
    pairs.status = 'kept'
    and (
        paragraphs.text is null
        or pairs.evidence = ''
        or pairs.evidence
        is distinct from substring(
            paragraphs.text, pairs.evidence_start + 1, pairs.evidence_end - pairs.evidence_start
        )
    )
