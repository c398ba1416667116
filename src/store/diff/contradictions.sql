-- Finds contradictions within the feed, into table `contradictions`: a deployment whose summary differs from its lists, and an
-- expansion that products reference but the feed does not list.
-- reads: schema after; views feed_deployments, feed_changes; variables from_sequence, to_sequence
-- contradictions:
--   entity: deployment or expansion
--   id: the expansion's id; null = a deployment
--   name: the deployment's id, or the expansion's name as products embed it
--   says, but: the two contradictory statements

create temp table contradictions as
with stated as (
  select deployment_id, unnest([
    {entity: 'product', change: 'added', items: products_added},
    {entity: 'product', change: 'modified', items: products_modified},
    {entity: 'product', change: 'removed', items: products_removed},
    {entity: 'expansion', change: 'added', items: expansions_added},
    {entity: 'expansion', change: 'modified', items: expansions_modified},
    {entity: 'expansion', change: 'removed', items: expansions_removed}
  ]) as summary
  from feed_deployments
  where sequence > getvariable('from_sequence') and sequence <= getvariable('to_sequence')
),
listed as (
  select deployment_id, entity, change, count(*) as items
  from feed_changes semi join stated using (deployment_id)
  group by all
)
select 'deployment' as entity, null::bigint as id, s.deployment_id as name,
  concat(s.summary.entity, 's ', s.summary.change, ': ', s.summary.items, ' in the summary') as says,
  concat(coalesce(l.items, 0), ' in the list') as but
from stated s
left join listed l
  on l.deployment_id = s.deployment_id and l.entity = s.summary.entity and l.change = s.summary.change
where s.summary.items <> coalesce(l.items, 0)
union all
select 'expansion', p.expansion_id, any_value(p.expansion_name),
  concat('products are of it: ', count(*), ', the first is ', min(p.product_id)), 'the feed lists no such expansion'
from after.products p anti join after.expansions e using (expansion_id)
where p.expansion_id is not null
group by p.expansion_id;
