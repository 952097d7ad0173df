-- One row: a term by which papers call a measure, with the cosine of its vector and a given one; the nearest first.
select
    measure as term,
    max(list_inner_product(vector, $vector::double[])) as likeness
from findings.term_vectors
where encoder = $encoder and encoder_revision = $revision
group by measure
order by likeness desc, term
limit 10
