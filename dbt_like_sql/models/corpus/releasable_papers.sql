-- One row: a paper, and whether what was made from it may be released; if not, why.
-- A licence that is not known allows nothing. CC BY-ND forbids derivatives, and questions with their evidence
-- are derivatives; TDM (author manuscripts) allows mining and nothing else.
with judged as (
    select
        paper_id,
        licence,
        case
            when retracted and not $release__retracted then 'retracted'
            when $release__any_licence then null
            when licence in ('CC0', 'CC BY', 'CC BY-SA', 'CC BY-NC', 'CC BY-NC-SA', 'public domain') then null
            when licence in ('CC BY-ND', 'CC BY-NC-ND') then 'no_derivatives'
            when licence = 'TDM' then 'text_mining_only'
            else 'licence_unknown'
        end as rejection_reason
    from corpus.papers
)

select paper_id, licence, rejection_reason is null as releasable, rejection_reason
from judged
