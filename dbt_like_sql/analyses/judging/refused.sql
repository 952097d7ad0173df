-- One row: a pair of core QA that the model refused to make a question of, with what it was told of it.
select
    items.item_id,
    items.variant,
    sources.title as source_title,
    source_pairs.question as source_question,
    source_pairs.answer as source_answer,
    targets.title as target_title,
    target_pairs.question as target_question,
    target_pairs.answer as target_answer
from multi_hop.items
inner join corpus.papers as sources on items.source_paper_id = sources.paper_id
inner join corpus.papers as targets on items.target_paper_id = targets.paper_id
inner join single_hop.qa_pairs as source_pairs on items.core_source_qa_id = source_pairs.qa_id
inner join single_hop.qa_pairs as target_pairs on items.core_target_qa_id = target_pairs.qa_id
where items.status = 'pre_rejected'
order by items.item_id
