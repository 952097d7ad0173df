-- One row: the first paper of a slice of papers that have about so many paragraphs and QA pairs together.
select min(paper_id) as paper_id
from (
    select paper_id, sum(count(*)) over (order by paper_id) // $rows as slice
    from (
        select paper_id from corpus.paragraphs
        union all
        select paper_id from single_hop.qa_pairs
    )
    group by paper_id
)
group by slice
order by paper_id
