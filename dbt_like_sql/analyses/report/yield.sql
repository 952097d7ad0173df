-- One row: a system that asked models, with its requests by task, the items that they gave, and why rows were
-- rejected; of Findings also the steps from papers to items. Requests of earlier prompts, models and settings do
-- not count.
with asked as (
    select
        split_part(table_name, '.', 1) as stage,
        task,
        count(*) as requests,
        sum(prompt_tokens)::bigint as prompt_tokens,
        sum(reply_tokens)::bigint as reply_tokens,
        sum(cost) as cost,
        min(answered_at) as since
    from ops.llm_calls
    where not coalesce(replaced, false) and outcome != 'not_recorded'
    group by all
),

stages as (
    select unnest(['single_hop', 'citation_guided', 'relations', 'multi_hop']) as stage, 'AIM-SciQA' as system, 'multi_hop' as form
    union all
    select 'findings', 'Findings', 'findings'
    union all
    select 'hopweaver', 'HopWeaver', 'hopweaver'
    union all
    select 'scidqa', 'SciDQA', 'scidqa'
),

requests as (
    select
        system,
        any_value(form) as form,
        sum(requests)::bigint as requests,
        sum(prompt_tokens)::bigint as prompt_tokens,
        sum(reply_tokens)::bigint as reply_tokens,
        sum(cost) as cost,
        list(
            {
                'task': task,
                'requests': requests,
                'prompt_tokens': prompt_tokens,
                'reply_tokens': reply_tokens,
                'cost': cost
            }
            order by since, task
        ) as tasks
    from asked
    join stages using (stage)
    group by system
),

papers as (
    select count(*) as papers
    from corpus.papers
    where not retracted and article_type not in ('evaluation', 'manuscript')
),

accepted as (
    select form, count(*) as accepted from item_questions group by form
),

steps as (
    select 1 as place, 'papers read' as step, count(*) as rows from findings.papers where status = 'kept'
    union all
    select 2, 'findings kept', count(*) from findings.findings where status = 'kept'
    union all
    select 3, 'groups', count(*) from findings.groups
    union all
    select 4, 'questions drafted', count(*) from findings.drafts where type is not null
    union all
    select 5, 'challenged', count(distinct draft_id) from findings.challenges
    union all
    select 6, 'read strictly', count(distinct draft_id) from findings.readings
    union all
    select 7, 'items accepted', count(*) from findings.items where status = 'accepted'
),

funnels as (
    select 'findings' as form, list({ 'step': step, 'rows': rows } order by place) as funnel from steps
),

reasons as (
    select
        system,
        list(
            { 'table': table_name, 'reason': rejection_reason, 'rows': rows }
            order by rows desc, table_name, rejection_reason
        )[:10] as reasons
    from ops.rejections
    join stages on split_part(table_name, '.', 1) = stage
    group by system
)

select
    system,
    papers,
    requests,
    prompt_tokens,
    reply_tokens,
    cost,
    coalesce(accepted, 0) as accepted,
    1000.0 * coalesce(accepted, 0) / requests as per_1000_requests,
    coalesce(accepted, 0) / nullif(papers, 0) as per_paper,
    tasks,
    funnel,
    reasons
from requests
cross join papers
left join accepted using (form)
left join funnels using (form)
left join reasons using (system)
order by system
