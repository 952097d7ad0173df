-- One row: a released item, but for what it has several of; in the order of its split and id, as everything
-- that goes with it.
select
    release_items.split || '/' || release_items.item_id as key,
    release_items.item_id,
    release_items.variant,
    release_items.split,
    items.merged_question as question,
    items.merged_answer as answer,
    { 'question': items.retrieval_question, 'answer': items.retrieval_answer } as find_target_paper,
    { 'question': items.inter_document_question, 'answer': items.inter_document_answer } as inter_document_qa,
    { 'paper_id': source.paper_id, 'title': source.title, 'licence': source.licence } as source,
    { 'paper_id': target.paper_id, 'title': target.title, 'licence': target.licence } as target,
    {
        'relation_id': items.relation_id,
        'section_similarity': relations.similarity,
        'core_qa_similarity': relations.strength,
        'rank': relations.rank
    } as relation,
    {
        'fluency': items.fluency,
        'completeness': items.completeness,
        'cross_reference_necessity': items.cross_reference_necessity,
        'relational_appropriateness': items.relational_appropriateness,
        'decision': items.decision,
        'decision_by_model': items.decision_by_model
    } as validation,
    {
        'model': items.model,
        'model_revision': items.model_revision,
        'prompt_version': items.prompt_version
    } as provenance
from release.items as release_items
inner join multi_hop.items on release_items.item_id = items.item_id
inner join corpus.papers as source on items.source_paper_id = source.paper_id
inner join corpus.papers as target on items.target_paper_id = target.paper_id
inner join relations.candidate_relations as relations on items.relation_id = relations.relation_id
where release_items.released and key >= $first and key < $before
order by key
