-- A published item of AIM-SciQA has all its steps, every verdict accepts it, and a citation-guided one has a
-- citing sentence.
select item_id, variant
from multi_hop
where
    (variant = 'cim') <> (len(citations) > 0)
    or '' in (find_target_paper.question, inter_document_qa.question, inter_document_qa.answer)
    or 'reject' in (
        validation.fluency,
        validation.completeness,
        validation.cross_reference_necessity,
        validation.relational_appropriateness,
        validation.decision
    )
