-- One row: a version of an accepted item of HopWeaver. The original beside a polished one is a kind of its own.
select
    versions.version_id as item_id,
    versions.kind || if(versions.version = 'original', '_original', '') as variant,
    splits.split,
    versions.question,
    versions.answer,
    versions.question as query,
    case
        when items.kind = 'bridge'
            then [
                {
                    'name': 'first_hop',
                    'title': 'Step 1: find the bridge',
                    'question': attempts.question_1,
                    'answer': attempts.answer_1
                },
                {
                    'name': 'second_hop',
                    'title': 'Step 2: ask about it',
                    'question': attempts.question_2,
                    'answer': attempts.answer_2
                }
            ]
    end as steps,
    [{'name': 'polisher', 'verdict': items.polisher_status}] as verdicts,
    items.model,
    items.model_revision,
    items.prompt_version
from hopweaver.versions
inner join hopweaver.items on versions.item_id = items.item_id
inner join hopweaver.attempts on items.attempt_id = attempts.attempt_id
left join hopweaver.splits on versions.version_id = splits.version_id
where items.status = 'accepted'
