-- What the changelog claims between two snapshots against what was computed, as chosen.
-- reads: the difference's reconciliations; $entity, $status (all = every one)
select entity, item_id, slug, claimed, seen, status, explanation, deployment_id
from reconciliations
where ($entity = 'all' or entity = $entity) and ($status = 'all' or status = $status)
