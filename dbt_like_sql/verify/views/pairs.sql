-- One row: a single-hop pair with its paragraph, in the order of the pairs.
select single_hop.*, paragraphs.text
from single_hop
inner join corpus.paragraphs on single_hop.paragraph_id = paragraphs.paragraph_id
order by single_hop.filename, single_hop.file_row_number
