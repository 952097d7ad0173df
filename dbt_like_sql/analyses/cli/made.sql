-- One row: how many papers were read, relations found, questions attempted by HopWeaver, items accepted (by all
-- systems), and items that may be released.
select
    (select count(*) from corpus.papers) as papers,
    (select count(*) from single_hop.qa_pairs where status = 'kept') as pairs,
    (select count(*) from relations.candidate_relations) as relations,
    (select count(*) from multi_hop.items) as items,
    (select count(*) from hopweaver.items) as attempts,
    (select count(*) from item_questions) as accepted,
    (select count(*) from release.items where released) as released
