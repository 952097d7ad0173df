-- With selection.corpus = eligible: batches with a paper that was admitted and never asked about, or that was
-- asked about and is not admitted any more. Papers that came or went since have changed what its references
-- lead to.
select distinct paragraphs.batch
from corpus.paragraphs
semi join corpus.admitted_papers as admitted on paragraphs.paper_id = admitted.paper_id
anti join (select distinct paper_id from single_hop.extractions) as asked on paragraphs.paper_id = asked.paper_id
where $selection__corpus = 'eligible' and $systems__aim_sciqa
union
select distinct extractions.batch
from single_hop.extractions
anti join corpus.admitted_papers as admitted on extractions.paper_id = admitted.paper_id
where $selection__corpus = 'eligible'
