-- Prepares reused_ids.sql, which looks at fresh nights alone: sets variable fresh_nights, leaves in temporary table earlier_reused_ids the rows of the
-- other nights, and says whether a fresh night may have found a reused id.
-- A night is fresh if the lake did not have it, or if an earlier night of its game was taken back, or has another place or time now.
-- reads: macros of is_another.sql; nights; temporary tables earlier_nights and earlier_reused_ids; view product_versions of schema files
set variable fresh_nights = (
  select coalesce(list(distinct n.snapshot), []) from nights n left join earlier_nights e using (game_id, snapshot)
  where e.snapshot is null or n.game_id in (
    select b.game_id from earlier_nights b left join nights a using (game_id, snapshot)
    where a.place is distinct from b.place or a.seen_at is distinct from b.seen_at
  )
);

delete from earlier_reused_ids r
where list_contains(getvariable('fresh_nights'), r.snapshot) or (r.game_id, r.snapshot) not in (select (game_id, snapshot) from nights);

select exists (
  from files.product_versions
  where list_contains(getvariable('fresh_nights'), snapshot) and (
    (change = 'modified' and may_be_another(changed))
    or (change = 'added' and (game_id, product_id) in (select (game_id, product_id) from files.product_versions where change = 'removed'))
  )
) as is_found;
