-- One row: the first paper of a slice of about so many paragraphs.
select distinct paper_id
from (
    select paragraphs.paper_id, row_number() over (order by paragraphs.paper_id) as place
    from corpus.paragraphs
    inner join corpus.releasable_papers as releasable on paragraphs.paper_id = releasable.paper_id
    where releasable.releasable
)
where (place - 1) % $rows = 0
order by paper_id
