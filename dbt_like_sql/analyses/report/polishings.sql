-- One row: a kind of HopWeaver and what the polisher said of its questions, with how many of these were accepted.
-- error: it replied, and nothing of it could be read. It was not asked about a mirrored question.
select
    kind,
    if(polisher_reply is null, 'no reply', polisher_status) as outcome,
    count(*) as rows,
    count(*) filter (where status = 'accepted') as accepted
from hopweaver.items
where
    polisher_status is not null
    and not (polisher_status = 'not_polished' and rejection_reason is not distinct from 'mirrored')
group by kind, outcome
order by kind, outcome
