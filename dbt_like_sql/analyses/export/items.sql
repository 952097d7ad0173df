-- One row: a released item, but for what it has several of; in the order of its split and id, as everything
-- that goes with it.
select
    release_items.split || '/' || release_items.item_id as key,
    release_items.item_id,
    release_items.variant,
    release_items.split,
    questions.question,
    questions.answer,
    questions.query,
    questions.evaluator,
    coalesce(
        list_transform(
            questions.steps,
            lambda step: { 'name': step.name, 'question': step.question, 'answer': step.answer }
        ),
        []
    ) as steps,
    {
        'model': questions.model,
        'model_revision': questions.model_revision,
        'prompt_version': questions.prompt_version
    } as provenance
from release.items as release_items
inner join item_questions as questions on release_items.item_id = questions.item_id
where release_items.released and key >= $first and key < $before
order by key
