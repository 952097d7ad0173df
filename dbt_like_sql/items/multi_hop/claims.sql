-- A published item of AIM-SciQA has all its steps, its flat columns repeat the nested ones, every verdict
-- accepts it, and a citation-guided one has a citing sentence.
select item_id, variant
from multi_hop
where
    (variant = 'cim') <> (len(citations) > 0)
    or (retrieval_question, retrieval_answer, inter_document_question, inter_document_answer)
    <> (find_target_paper.question, find_target_paper.answer, inter_document_qa.question, inter_document_qa.answer)
    or (source_paper_id, source_title, source_evidence) <> (source.paper_id, source.title, source.core_qa.evidence)
    or (target_paper_id, target_title, target_evidence) <> (target.paper_id, target.title, target.core_qa.evidence)
    or retrieval_evidence <> target.retrieval_qa.evidence
    or '' in (find_target_paper.question, inter_document_qa.question, inter_document_qa.answer)
    or 'reject' in (
        validation.fluency,
        validation.completeness,
        validation.cross_reference_necessity,
        validation.relational_appropriateness,
        validation.decision
    )
