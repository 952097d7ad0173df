-- One row: a kind of HopWeaver with its attempts and their success rate, and what the questions took.
select
    kind,
    attempts,
    unanswered as no_reply,
    made as questions,
    accepted,
    format('{:.2f}', value) || replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.') as success,
    round(list_avg(tried), 2) as documents_tried
from shared_attempts_by_kind
order by kind
