-- An item has questions and answers, every verdict accepts it, source and target differ, and a
-- citation-guided item has a citing sentence.
select item_id, variant
from multi_hop
where
    variant not in ('im', 'cim')
    or source.paper_id = target.paper_id
    or (variant = 'cim') <> (len(citations) > 0)
    or '' in (question, answer, find_target_paper.question, inter_document_qa.question, inter_document_qa.answer)
    or 'reject' in (
        validation.fluency,
        validation.completeness,
        validation.cross_reference_necessity,
        validation.relational_appropriateness,
        validation.decision
    )
