-- Collects known slugs of items in view `told_slugs`: of products from feed files, and of all items that the changelog names with an id.
-- reads: slugs.last, the products of a reading by feed files as they were read; schema after; views feed_deployments,
--        feed_changes; variables last_sequence, to_sequence
-- told_slugs:
--   seen: sequence of the deployment that had the slug
--   is_now: true if the slug is from the later snapshot
create view told_slugs as
select 'product' as entity, slug, product_id as item_id, getvariable('last_sequence') as seen, false as is_now
from slugs.last where slug is not null
union all
select 'product', slug, product_id, getvariable('to_sequence'), true from after.products where slug is not null
union all
select c.entity, c.slug, c.item_id, d.sequence, false
from feed_changes c join feed_deployments d using (deployment_id)
where c.item_id is not null and d.sequence <= getvariable('to_sequence');
