-- checks: relations.retrieval_questions
-- The retrieval QA of a relation is a kept pair of its target.
-- if it fails: the relations or pairs of a batch are newer than its retrieval questions. Materialize
-- relations/retrieval_questions and what follows for that batch, or `aimsciqa run`.
select retrieval.relation_id, retrieval.qa_id
from relations.retrieval_questions as retrieval
inner join relations.candidate_relations as relations on retrieval.relation_id = relations.relation_id
left join single_hop.qa_pairs as pairs
    on
        retrieval.qa_id = pairs.qa_id
        and relations.target_paper_id = pairs.paper_id
        and pairs.status = 'kept'
where pairs.qa_id is null
