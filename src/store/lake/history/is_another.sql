-- Decides whether an id has passed to another product: one rule for the release notes (diff/identities.sql) and table reused_ids.
-- changed: fields that differ. before, after: its ids in other systems, each as system and id. mtgOracleId is left out: printings share it.

-- The cheap half of the rule: ids are looked up only for these.
create or replace temp macro may_be_another(changed) as
  list_contains(changed, 'product_type')
  or (list_contains(changed, 'name') and list_has_any(changed, ['print_number', 'expansion_id']));

-- One id in common, under any finish, means the same product. If both have ids in a system and none in common, fewer differing fields suffice.
create or replace temp macro is_another(changed, before, after) as
  not list_has_any(before, after)
  and (
    list_contains(changed, 'product_type')
    or list_has_all(changed, ['name', 'print_number', 'expansion_id'])
    or (
      list_contains(changed, 'name_slug')
      and list_has_any(
        list_transform(before, lambda own: own.system), list_transform(after, lambda own: own.system)
      )
    )
  );
