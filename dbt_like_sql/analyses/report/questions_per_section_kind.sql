-- One row: a kind of section with its kept QA pairs (figures 3 and 4 of the AIM-SciQA paper).
select kind, sections, pairs, pairs_per_section
from single_hop.pairs_by_section
order by pairs desc, kind
