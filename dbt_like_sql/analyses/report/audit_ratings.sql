-- One row: a criterion of an audit and a score that people gave it, with how often.
select sheet, kind, criterion, score, count(*) as rows
from benchmark.audit_ratings
group by all
order by sheet, kind, criterion, score
