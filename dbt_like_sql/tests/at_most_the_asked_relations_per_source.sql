-- checks: relations.candidate_relations
-- A source has at most relations.relations_per_source relations of a variant, and never one with itself.
-- if it fails: these batches were made with another relations.relations_per_source than this check was run
-- with. Materialize relations/candidate_relations and what follows for all batches with the settings that
-- you want.
select variant, source_paper_id, count(*) as relations
from relations.candidate_relations
group by variant, source_paper_id
having count(*) > $relations__relations_per_source or bool_or(source_paper_id = target_paper_id)
