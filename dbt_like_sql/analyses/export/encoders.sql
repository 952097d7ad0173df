-- One row: an encoder that the similarities of the corpus were measured with.
select distinct encoder, encoder_revision
from single_hop.similarities
order by all
