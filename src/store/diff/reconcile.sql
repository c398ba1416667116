-- What the changelog claims between two snapshots against what was computed, item by item, into table `reconciliations`
-- (its meaning: lake/published/reconciliations.sql). Price moves are never claimed and are left aside.
-- reads: touched_products, catalogue_changes, price_moves; schemas before and after; slugs.before, the products as they
--        were read; views told_slugs, new_to_via, feed_deployments, feed_changes (every known deployment of the game);
--        variables game_id, from_snapshot, to_snapshot, from_sequence, to_sequence, via, by which the later one was read, slugs_on_pages,
--        apart_by_via, the fields that ways of reading fill otherwise, and since_sequence: that of the last night by the later one's way of reading, where the earlier one was read by the other, else from_sequence

create temp table seen as
select entity, id as item_id, any_value(change) as change, bool_and(field in getvariable('apart_by_via')) as may_be_early
from catalogue_changes
group by entity, id;

-- Fields of only one way of reading are compared with its last night. Claims since then are early: the earlier snapshot could not show
-- their changes.
create temp table claims as
select d.sequence, d.deployment_id, c.entity, c.change, c.slug, c.item_id, d.sequence <= getvariable('from_sequence') as is_early
from feed_changes c
join feed_deployments d using (deployment_id)
where d.sequence > getvariable('since_sequence') and d.sequence <= getvariable('to_sequence');

-- a claim without id (a removed item, or a feed that names slugs alone) is looked up by slug: among the slugs that feed files and claims
-- told, in both snapshots and among their refusals. A slug may be shared and may pass from one item to another: those the claim fits come
-- first (a removed item is not in the later snapshot, an added one not in the earlier), of them those that have the slug now, because two
-- items may have swapped theirs, then who had it last.
create temp table named_items as
with slugs as (select distinct entity, slug, change, is_early from claims where item_id is null),
windows as (
  select distinct is_early, if(is_early, getvariable('since_sequence'), getvariable('from_sequence')) as after_sequence from slugs
),
wanted as (select distinct slug from slugs),
-- An item that is only in the later snapshot was not removed.
wanted_after as (select distinct slug from slugs where change <> 'removed'),
told as materialized (from told_slugs where slug in (from wanted)),
-- An item's former slug counts only if no later one is known.
last_told as (
  select is_early, entity, item_id, max(seen) as seen
  from (from told_slugs semi join told using (entity, item_id)) join windows on seen <= after_sequence
  group by is_early, entity, item_id
),
called as (
  select t.*, is_early, t.seen > w.after_sequence as is_news
  from told t cross join windows w left join last_told l using (is_early, entity, item_id)
  where t.seen > w.after_sequence or t.seen = l.seen
),
-- The feed may name a product by its slug alone, or by expansion and slug.
names as (
  select 'product' as entity, name_slug as slug, product_id as item_id, false as is_now, null::bigint as seen, null::boolean as is_early, true as is_news
  from before.products where name_slug in (from wanted)
  union select 'product', name_slug, product_id, true, null, null, true from after.products where name_slug in (from wanted_after)
  union select 'product', e.slug || '-' || p.name_slug, p.product_id, false, null, null, true
  from before.products p join before.expansions e using (expansion_id)
  where e.slug || '-' || p.name_slug in (from wanted)
  union select 'product', e.slug || '-' || p.name_slug, p.product_id, true, null, null, true
  from (from after.products where exists (from wanted_after)) p join after.expansions e using (expansion_id)
  where e.slug || '-' || p.name_slug in (from wanted_after)
  union select 'expansion', slug, expansion_id, false, null, null, true from before.expansions
  union select 'expansion', slug, expansion_id, true, null, null, true from after.expansions
  -- A record with an unpaired surrogate, or a truncated one, is not JSON: its slugs are unknown.
  union select case when list in ('products', 'catalog') then 'product' else 'expansion' end,
    unnest(try([record ->> 'nameSlug', record ->> 'slug'])), try_cast(record_id as bigint), false, null, null, true
  from (from before.refusals union all from after.refusals) where list in ('products', 'expansions', 'catalog', 'feedExpansions')
  union select entity, slug, item_id, is_now, seen, is_early, is_news from called
),
found as materialized (
  select n.entity, n.slug, sl.change, sl.is_early, n.item_id, bool_or(n.is_now) as is_now, max(n.seen) as seen, bool_or(n.is_news) as is_news
  from names n join slugs sl on sl.entity = n.entity and sl.slug = n.slug and coalesce(n.is_early, sl.is_early) = sl.is_early
  where n.item_id is not null
  group by all
),
-- Joins from the few slugs to the snapshot's million rows, not the other way round.
held as (
  select true as is_after, 'product' as entity, product_id as item_id from after.products
  where product_id in (select item_id from found where entity = 'product')
  union all select false, 'product', product_id from before.products
  where product_id in (select item_id from found where entity = 'product')
  union all select true, 'expansion', expansion_id from after.expansions
  union all select false, 'expansion', expansion_id from before.expansions
),
placed as (
  select f.*, coalesce(bool_or(h.is_after), false) as is_after, coalesce(bool_or(not h.is_after), false) as is_before
  from found f left join held h using (entity, item_id)
  group by all
  -- An item that was already missing is not removed.
  having f.is_news or count(h.item_id) > 0
),
fitted as (
  select *, case change when 'removed' then not is_after when 'added' then is_after and not is_before else is_after end as fits
  from placed
)
select entity, slug, change, is_early, item_id,
  row_number() over (partition by entity, slug, change, is_early order by fits desc, is_now desc, seen desc nulls last, item_id) as place,
  count(*) filter (fits) over (partition by entity, slug, change, is_early) as fitting
from fitted;

-- Claims of one slug are assigned to fitting items in turn; further claims reuse an item.
create temp table resolved_claims as
with unnamed as (
  select *,
    row_number() over (partition by entity, slug, change, sequence) as place_now,
    row_number() over (partition by entity, slug, change, is_early order by sequence) as place_ever
  from claims where item_id is null
),
placed as (
  select u.*, case when u.place_ever <= n.fitting then u.place_ever else u.place_now end as place
  from unnamed u
  left join named_items n on n.entity = u.entity and n.slug = u.slug and n.change = u.change and n.is_early = u.is_early and n.place = 1
)
from claims where item_id is not null
union all by name
select u.sequence, u.deployment_id, u.entity, u.change, u.slug, u.is_early, n.item_id
from placed u
left join named_items n using (entity, slug, change, is_early, place);

-- Several deployments are combined: added then removed is no change, removed then added is a modification.
create temp table composed_claims as
with together as (
  select
    entity,
    item_id,
    is_early,
    arg_max(slug, sequence) as slug,
    arg_max(deployment_id, sequence) as deployment_id,
    count(*) as touches,
    case
      when arg_min(change, sequence) = 'added' and arg_max(change, sequence) = 'removed' then null
      when arg_min(change, sequence) = 'added' then 'added'
      when arg_max(change, sequence) = 'removed' then 'removed'
      else 'modified'
    end as claimed
  from resolved_claims
  group by entity, item_id, is_early, case when item_id is null then slug end
),
early as (from together where is_early and claimed = 'modified')
-- An early claim explains a modification that no late one explains, only in differently filled fields, if it is visible only now or was undone since.
select t.* exclude (is_early) replace (t.touches + coalesce(e.touches, 0) as touches)
from together t left join early e using (entity, item_id)
where not t.is_early
union all
select e.* exclude (is_early)
from early e
semi join (from seen where may_be_early) s using (entity, item_id)
anti join (from together where not is_early) t using (entity, item_id);

create temp table reconciliations as
with refused as (
  select case when list in ('products', 'catalog') then 'product' when list in ('expansions', 'feedExpansions') then 'expansion' end as entity, record_id
  from (select list, record_id from before.refusals union select list, record_id from after.refusals)
),
met as materialized (
  select
    coalesce(c.entity, s.entity) as entity,
    coalesce(c.item_id, s.item_id) as item_id,
    c.slug,
    c.deployment_id,
    c.claimed,
    s.change as seen,
    case
      when c.claimed is not distinct from s.change then 'confirmed'
      when c.claimed is null then 'seen_not_claimed'
      else 'claimed_not_seen'
    end as status,
    c.touches
  from composed_claims c
  full join seen s on s.entity = c.entity and s.item_id = c.item_id
  where c.claimed is not null or s.change is not null
),
-- Joins from the claims to the millions of moves, not the other way round.
price_moved as (
  select distinct product_id
  from price_moves
  where finish is not null and product_id in (select item_id from met where entity = 'product' and claimed = 'modified' and seen is null)
),
-- A reworded item was touched, but no field differs.
reworded as (
  select 'product' as entity, id as item_id from touched_products where change = 'modified'
),
-- Claims with unknown slugs, and changed items without a slug that a claim could name.
nameless as (
  select entity, item_id, slug, claimed as change, true as is_claim from met where item_id is null and claimed is not null
  union all
  select m.entity, m.item_id, null, m.seen, false
  from met m
  anti join refused r on r.entity = m.entity and r.record_id = m.item_id::varchar
  where m.claimed is null and not exists (
    from (
      select 'product' as entity, product_id as item_id, 'removed' as change from slugs.before where slug is not null
      union all select 'product', product_id, 'added' from after.products where slug is not null
      union all select 'expansion', expansion_id, 'removed' from before.expansions where slug is not null
      union all select 'expansion', expansion_id, 'added' from after.expansions where slug is not null
    ) s
    where s.entity = m.entity and s.item_id = m.item_id and s.change = if(m.seen = 'removed', 'removed', 'added')
  )
),
counted as (
  select entity, change from nameless where getvariable('slugs_on_pages') = 0 group by entity, change
  having count(*) filter (is_claim) = count(*) filter (not is_claim)
),
by_count as (from nameless semi join counted using (entity, change)),
-- Slugs of unclaimed items: the current one, else the former one.
unclaimed as (select entity, item_id from met where slug is null),
slugs_of as (
  select entity, item_id, arg_min(slug, age) as slug
  from (
    select 'product' as entity, product_id as item_id, name_slug as slug, 0 as age from after.products
    where product_id in (select item_id from unclaimed where entity = 'product')
    union all select 'product', product_id, name_slug, 1 from before.products
    where product_id in (select item_id from unclaimed where entity = 'product')
    union all select 'expansion', expansion_id, slug, 0 from after.expansions
    union all select 'expansion', expansion_id, slug, 1 from before.expansions
  )
  group by entity, item_id
)
select
  getvariable('game_id') as game_id,
  getvariable('from_snapshot') as from_snapshot,
  getvariable('to_snapshot') as to_snapshot,
  m.deployment_id,
  m.entity,
  m.item_id,
  coalesce(m.slug, o.slug) as slug,
  m.claimed,
  m.seen,
  m.status,
  case
    when m.status = 'confirmed' then null
    when r.record_id is not null then 'refused'
    when n.entity is not null then 'by_count'
    when m.claimed = 'modified' and m.seen is null and m.touches > 1 then 'netted'
    when m.claimed = 'modified' and m.seen is null and w.item_id is not null then 'rewritten'
    when m.claimed = 'modified' and m.seen is null and p.product_id is not null then 'price_only'
    when m.claimed = 'modified' and m.seen is null and (getvariable('via') = 'feeds' or f.item_id is not null) then 'not_in_feeds'
  end as explanation
from met m
left join refused r on r.entity = m.entity and r.record_id = m.item_id::varchar
left join reworded w on w.entity = m.entity and w.item_id = m.item_id
left join price_moved p on m.entity = 'product' and p.product_id = m.item_id
left join by_count n on n.entity = m.entity and n.item_id is not distinct from m.item_id and n.slug is not distinct from if(n.is_claim, m.slug, null)
  and n.change = coalesce(m.claimed, m.seen)
left join new_to_via f on f.entity = m.entity and f.item_id = m.item_id
left join slugs_of o on o.entity = m.entity and o.item_id = m.item_id;
