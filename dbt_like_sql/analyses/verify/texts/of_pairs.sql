-- One row: a single-hop pair with its paragraph, in the order of the pairs.
select single_hop.*, paragraphs.text
from single_hop
inner join corpus.paragraphs
    on single_hop.paragraph_id = paragraphs.paragraph_id and single_hop.paper_id = paragraphs.paper_id
where
    single_hop.paper_id >= $first
    and single_hop.paper_id < $before
    and paragraphs.paper_id >= $first
    and paragraphs.paper_id < $before
order by single_hop.filename, single_hop.file_row_number
