-- One row: a reviewed item, with the latest decision of each reviewer.
with latest as (
    select reviews.item_id, reviews.reviewer, coalesce(reviews.decision, 'undecided') as decision
    from benchmark.reviews as reviews
    inner join item_questions as questions
        on
            reviews.item_id = questions.item_id
            and reviews.of_question = questions.question
            and reviews.of_answer = questions.answer
    qualify
        row_number() over (
            partition by reviews.item_id, reviews.reviewer
            order by reviews.reviewed_at desc, reviews.number desc
        ) = 1
)

select item_id, list({'reviewer': reviewer, 'decision': decision} order by reviewer) as reviews
from latest
group by item_id
