-- One row: the latest review of an item by a reviewer. It counts as long as the item has the words that were reviewed.
select reviews.*
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
