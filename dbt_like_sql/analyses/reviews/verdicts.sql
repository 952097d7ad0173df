-- One row: whether a version of a manuscript answers a question.
select qa_id, version, paper_id, verdict
from scidqa.answerability
where verdict is not null
order by all
