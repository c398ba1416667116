-- The changelog's filtered claims between two snapshots, compared with the computed changes.
-- reads: the difference's reconciliations; $entity, $status (all = every one)
select entity, item_id, slug, claimed, seen, status, explanation, deployment_id
from reconciliations
where ($entity = 'all' or entity = $entity) and ($status = 'all' or status = $status)
