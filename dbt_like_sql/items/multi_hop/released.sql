-- One row: a published item of AIM-SciQA in the general shape, as far as a release is checked by it.
select
    item_id,
    variant,
    split,
    filename,
    question,
    answer,
    find_target_paper.question as query,
    [
        {
            'role': 'source',
            'paper_id': source.paper_id,
            'title': source.title,
            'licence': source.licence,
            'in_hand': true,
            'gold': false,
            'quotes': [
                {
                    'evidence': source.core_qa.evidence,
                    'paragraph_id': source.core_qa.paragraph_id,
                    'evidence_start': source.core_qa.evidence_start,
                    'evidence_end': source.core_qa.evidence_end
                }
            ]
        },
        {
            'role': 'target',
            'paper_id': target.paper_id,
            'title': target.title,
            'licence': target.licence,
            'in_hand': false,
            'gold': true,
            'quotes': [
                {
                    'evidence': target.core_qa.evidence,
                    'paragraph_id': target.core_qa.paragraph_id,
                    'evidence_start': target.core_qa.evidence_start,
                    'evidence_end': target.core_qa.evidence_end
                },
                {
                    'evidence': target.retrieval_qa.evidence,
                    'paragraph_id': target.retrieval_qa.paragraph_id,
                    'evidence_start': target.retrieval_qa.evidence_start,
                    'evidence_end': target.retrieval_qa.evidence_end
                }
            ]
        }
    ] as documents,
    cluster as pool,
    gates,
    list_transform(
        citations,
        lambda citation: {
            'paper_id': source.paper_id,
            'paragraph_id': citation.paragraph_id,
            'quote': citation.sentence,
            'begins': citation.sentence_start,
            'ends': citation.sentence_end
        }
    ) as other_quotes
from multi_hop
