-- One row: an accepted question of a review whose manuscript is there. Its forum alone says whether it is in dev or
-- test, so that a forum is in one of them and stays there whatever is added. Nothing is to be retrieved.
select
    pairs.qa_id as item_id,
    'review_question' as variant,
    if(md5_number_lower(pairs.forum_id) % 10 = 0, 'test', 'dev') as split,
    pairs.question,
    pairs.answer,
    [
        {'name': 'relevance', 'verdict': pairs.relevance},
        {'name': 'version', 'verdict': pairs.version}
    ] as verdicts,
    pairs.model,
    pairs.model_revision,
    pairs.prompt_version
from scidqa.qa_pairs as pairs
inner join scidqa.documents as documents on pairs.qa_id = documents.qa_id and documents.role = 'manuscript'
where pairs.status = 'accepted'
