-- One row: a paper batch, with its contents and the stage that it has reached.
with made as (
    select part, list(table_name) as tables
    from ops.materializations
    group by part
)

select
    files.batch,
    count(*) as files,
    (select count(*) from corpus.papers where batch = files.batch) as papers,
    (select count(*) from corpus.rejected_files where batch = files.batch) as rejected,
    (select count(*) from single_hop.qa_pairs where batch = files.batch and status = 'kept') as pairs,
    (select count(*) from relations.candidate_relations where batch = files.batch) as relations,
    (select count(*) from multi_hop.items where batch = files.batch and status = 'accepted') as items,
    case
        when list_contains(any_value(made.tables), 'multi_hop.items') then 'finished'
        when list_contains(any_value(made.tables), 'single_hop.extractions') then 'questions asked'
        when list_contains(any_value(made.tables), 'corpus.papers') then 'papers read'
        else 'ingested'
    end as state
from corpus.input_files as files
left join made on files.batch = made.part
group by files.batch
order by files.batch
