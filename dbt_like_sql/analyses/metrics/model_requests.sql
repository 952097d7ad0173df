-- One row: a task and a model, how requests to it ended, whether the journal answered, and how many there are.
select
    task,
    model,
    outcome,
    if(from_journal, 'journal', 'server') as source,
    count(*) as requests
from ops.llm_calls
group by all
order by all
