-- One row: an answer of a model to a question of a review in one of SciDQA's settings, with the answers from segments
-- where it read several. `licences` are those of the documents that it was shown.
with candidates as (
    select
        answer_id,
        list(if(json_valid(text), json_extract_string(text, '$.answer'), null) order by position) as candidates
    from benchmark.rag_steps
    where kind = 'segment'
    group by answer_id
),

documents as (
    select documents.item_id, list(coalesce(papers.licence, '')) as licences
    from item_documents as documents
    left join corpus.papers as papers on documents.paper_id = papers.paper_id
    group by documents.item_id
)

select
    answers.answerer,
    answers.setting,
    answers.item_id as qa_id,
    answers.prediction,
    list_filter(coalesce(candidates.candidates, []), lambda one: one is not null) as candidates,
    if(answers.setting = 'closed_book', [], documents.licences) as licences
from benchmark.answers as answers
inner join documents on answers.item_id = documents.item_id
left join candidates on answers.answer_id = candidates.answer_id
where
    answers.variant = 'review_question'
    and answers.setting in ('closed_book', 'title_abstract', 'passages', 'segments')
    and coalesce(answers.rejection_reason, '') not in ('no_ranking', 'not_recorded', 'no_model')
order by answers.answerer, answers.setting, answers.item_id
