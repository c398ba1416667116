-- The first items of which our changes and the changelog's claims differ without an explanation. Variable: rows_shown.
select entity, item_id::varchar as id, slug, claimed, seen, status from reconciliations
where status <> 'confirmed' and explanation is null order by entity, item_id, slug limit getvariable('rows_shown')
