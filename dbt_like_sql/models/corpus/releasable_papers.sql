-- One row: a paper, and whether what was made from it may be released; if not, why.
with judged as (
    select
        papers.paper_id,
        papers.licence,
        case
            when papers.retracted and not $release__retracted then coalesce(papers.retraction, 'retracted')
            when $release__any_licence then null
            when known.licence is null then 'licence_unknown'
            else known.rejection_reason
        end as rejection_reason
    from corpus.papers as papers
    left join shared_licences as known on papers.licence = known.licence
)

select paper_id, licence, rejection_reason is null as releasable, rejection_reason
from judged
