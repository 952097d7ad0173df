-- One row: a licence that is known, and why nothing that was made from a text under it may be passed on; null where it
-- may. A licence that is not listed allows nothing. CC BY-ND forbids derivatives, and questions with their evidence are
-- derivatives; TDM (author manuscripts) allows mining and nothing else.
select licence, rejection_reason
from (
    values
    ('CC0', null),
    ('CC BY', null),
    ('CC BY-SA', null),
    ('CC BY-NC', null),
    ('CC BY-NC-SA', null),
    ('public domain', null),
    ('CC BY-ND', 'no_derivatives'),
    ('CC BY-NC-ND', 'no_derivatives'),
    ('TDM', 'text_mining_only')
) as known (licence, rejection_reason)
