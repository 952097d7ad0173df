-- One row: a measure of evidence accessibility, of a retriever on the items of a kind.
select *
from benchmark.evidence_access
order by
    variant desc,
    list_position(['MAP', 'Recall@5', 'Recall@10', 'Recall@20', 'nDCG@5', 'nDCG@10', 'Support F1'], measure),
    value desc,
    retriever
