-- One row: a paper batch, with its contents.
select
    files.batch,
    count(*) as files,
    (select count(*) from corpus.papers where batch = files.batch) as papers,
    (select count(*) from corpus.rejected_files where batch = files.batch) as rejected,
    (select count(*) from single_hop.qa_pairs where batch = files.batch and status = 'kept') as pairs,
    (select count(*) from relations.candidate_relations where batch = files.batch) as relations,
    (select count(*) from multi_hop.items where batch = files.batch and status = 'accepted') as items
from corpus.input_files as files
group by files.batch
order by files.batch
