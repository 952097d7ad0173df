-- One row: a rating of an audit, and how often it was given (figure 5 of the AIM-SciQA paper).
select
    sheet,
    kind,
    criterion,
    score,
    count(*) as ratings,
    count(*) / sum(count(*)) over (partition by sheet, criterion) as share
from benchmark.audit_ratings
group by sheet, kind, criterion, score
