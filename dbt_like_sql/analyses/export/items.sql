-- One row: a released item with its documents, but for what else it has several of; in the order of its split and
-- id, as everything that goes with it. Where reviewers edited its question or answer, `original` has both as they
-- were made.
with released as (
    select split || '/' || item_id as key, item_id, variant, split
    from release.items
    where released and key >= $first and key < $before
),

documents as (
    select
        released.item_id,
        list(
            {
                'role': documents.role,
                'paper_id': papers.paper_id,
                'title': papers.title,
                'licence': papers.licence,
                'in_hand': documents.in_hand,
                'gold': documents.gold
            }
            order by documents.position
        ) as documents
    from released
    inner join item_documents as documents on released.item_id = documents.item_id
    inner join corpus.papers on documents.paper_id = papers.paper_id
    group by released.item_id
)

select
    released.key,
    released.item_id,
    released.variant,
    released.split,
    coalesce(reviews.question, questions.question) as question,
    coalesce(reviews.answer, questions.answer) as answer,
    if(
        coalesce(reviews.question, reviews.answer) is null,
        null,
        { 'question': questions.question, 'answer': questions.answer }
    ) as original,
    questions.query,
    questions.evaluator,
    coalesce(
        list_transform(
            questions.steps,
            lambda step: { 'name': step.name, 'question': step.question, 'answer': step.answer }
        ),
        []
    ) as steps,
    documents.documents,
    {
        'model': questions.model,
        'model_revision': questions.model_revision,
        'prompt_version': questions.prompt_version
    } as provenance
from released
inner join item_questions as questions on released.item_id = questions.item_id
inner join documents on released.item_id = documents.item_id
left join benchmark.review_decisions as reviews on released.item_id = reviews.item_id
order by released.key
