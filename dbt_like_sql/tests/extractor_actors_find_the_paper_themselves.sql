-- checks: extractor.trajectories
-- No actor is told the id of a paper that it has to find; such examples name no paper.
-- if it fails: an example was changed by hand. Run `aimsciqa reset --from extractor --yes`, then the same
-- command again: replies come from the journal, no model is asked again.
select trajectories.example_id, trajectories.kind
from extractor.trajectories
join extractor.examples using (example_id)
where
    trajectories.kind in ('retrieval', 'comprehensive')
    and (
        len(examples.anchor_pdf) > 0
        or len(list_filter(examples.papers, lambda paper: contains(trajectories.task, paper))) > 0
    )
