-- What the feed called items, into view `told_slugs`: products by feed files, and whatever the changelog named with an id.
-- reads: slugs.last, the products of a reading by feed files as they were read; schema after; views feed_deployments,
--        feed_changes; variables last_sequence, to_sequence
-- told_slugs:
--   seen: the deployment that it was so with
--   is_now: so it is in the later snapshot
create view told_slugs as
select 'product' as entity, slug, product_id as item_id, getvariable('last_sequence') as seen, false as is_now
from slugs.last where slug is not null
union all
select 'product', slug, product_id, getvariable('to_sequence'), true from after.products where slug is not null
union all
select c.entity, c.slug, c.item_id, d.sequence, false
from feed_changes c join feed_deployments d using (deployment_id)
where c.item_id is not null and d.sequence <= getvariable('to_sequence');
