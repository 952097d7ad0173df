-- One row: a paper that the method works on: it is asked about, may be a target or a distractor, and is among
-- the papers that a retriever searches. With selection.corpus = eligible, as in the paper, these are the papers
-- that may be sources; with `all` it is every paper, but for documents that are there for evaluation only, and for
-- papers that are another row already.
select paper_id
from corpus.source_papers
where
    eligible
    or (
        $selection__corpus = 'all'
        and coalesce(rejection_reason, '') not in ('evaluation_only', 'duplicate_paper')
    )
