-- One row: a kind of HopWeaver with its attempts, what came of them, and the share of those with replies that ended
-- in an accepted item, with its 95 % interval (Wilson). An attempt to which the model gave no reply tells nothing of
-- the method. `tried` is the number of documents tried for each question that was made.
with last_replies as (
    select attempt_id, max(position) as position
    from hopweaver.replies
    group by attempt_id
),

judged as (
    select
        items.kind,
        items.status = 'accepted' as accepted,
        items.original_question is not null as made,
        items.documents_tried,
        items.status = 'rejected' and if(
            items.original_question is null,
            ended.reply is null and ended.rejection_reason is not distinct from items.rejection_reason,
            items.polisher_reply is null
        ) as unanswered
    from hopweaver.items as items
    left join last_replies on items.attempt_id = last_replies.attempt_id
    left join hopweaver.replies as ended
        on items.attempt_id = ended.attempt_id and last_replies.position = ended.position
),

counted as (
    select
        kind,
        count(*) as attempts,
        count(*) filter (where unanswered) as unanswered,
        count(*) filter (where made) as made,
        count(*) filter (where accepted) as accepted,
        (count(*) - count(*) filter (where unanswered))::double as answered,
        list(documents_tried order by documents_tried) filter (where made) as tried
    from judged
    group by kind
),

shares as (
    select
        *,
        if(answered = 0, null, accepted / answered) as value,
        if(answered = 0, null, (accepted + 1.9207) / (answered + 3.8415)) as middle,
        if(
            answered = 0,
            null,
            1.96 * sqrt(accepted * (answered - accepted) / answered + 0.9604) / (answered + 3.8415)
        ) as reach
    from counted
)

select
    kind,
    attempts,
    unanswered,
    made,
    accepted,
    tried,
    value,
    greatest(middle - reach, 0) as low,
    least(middle + reach, 1) as high
from shares
