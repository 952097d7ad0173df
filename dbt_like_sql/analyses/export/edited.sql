-- One row: how many released items reviewers edited, and how many answers to their original words there are. These
-- answers are no baselines: they belong to another question.
select count(distinct release_items.item_id) as items, count(answers.answer_id) as answers
from release.items as release_items
inner join benchmark.review_decisions as reviews on release_items.item_id = reviews.item_id
left join benchmark.answers as answers
    on
        release_items.item_id = answers.item_id
        and coalesce(answers.rejection_reason, '') not in ('no_ranking', 'not_recorded', 'no_model')
where release_items.released and coalesce(reviews.question, reviews.answer) is not null
