-- named: the products that a text names: with their whole name in a language, or set and number, or with the words that their name begins with
create macro search.named(said) as table
select t.game_id, t.product_id, list_contains(t.keys, s.key) or coalesce(t.place = s.place, false) as is_whole
from search.texts t cross join (
  -- folded once, and not once for each product
  select search.in_order(folded) as key, replace(folded, ' ', '') as place, ' ' || folded || ' ' as words, length(folded) + 2 as own
  from (select search.folded(said::varchar) as folded) where folded <> ''
) s
where list_contains(t.keys, s.key) or t.place = s.place or starts_with(t.names, s.words) and s.own <= t.own;

-- product_meant: the product that a caller means: its id, or a name or number that is one product's alone. Of an id, DuckDB drops the search
create macro search.product_meant(said, call) as case
  when try_cast(said as bigint) is not null then try_cast(said as bigint)
  else (
    select case
        when said is null then null
        when count(distinct product_id) = 1 then any_value(product_id)
        when count(*) = 0 then error(call || ': no product is called ' || said::varchar || '. Find its id with find_products')::bigint
        else error(call || ': ' || said::varchar || ' is ' || count(*) || ' products, such as ' || array_to_string(list(label order by product_id)[:5], '; ')
          || '. Call it with an id: ' || call || '(' || min(product_id) || ')')::bigint
      end
    from (
      select n.product_id, n.product_id || ' = ' || p.name || ' (' || concat_ws(' ', p.expansion_code, p.print_number) || ')' as label
      from (
        from search.named(said) where try_cast(said as bigint) is null qualify is_whole = max(is_whole) over ()
      ) n
      join products p on p.game_id = n.game_id and p.product_id = n.product_id
    )
  )
end;

-- expansion_meant: the expansion that a caller means: its id, or a code or name that is one expansion's alone.
create macro search.expansion_meant(said, call) as case
  when try_cast(said as bigint) is not null then try_cast(said as bigint)
  else (
    select case
        when said is null then null
        when count(*) = 1 then any_value(expansion_id)
        when count(*) = 0 then error(call || ': no expansion has the code or name ' || said::varchar || '. See them with: from expansions')::bigint
        else error(call || ': ' || said::varchar || ' is ' || count(*) || ' expansions: '
          || string_agg(expansion_id || ' = ' || name || ' (' || game_id || ')', '; ' order by expansion_id)
          || '. Call it with an id: ' || call || '(' || min(expansion_id) || ')')::bigint
      end
    from (
      select *, search.folded(code) = search.folded(said::varchar) as is_code from expansions
      where try_cast(said as bigint) is null and (search.folded(code) = search.folded(said::varchar) or search.folded(name) = search.folded(said::varchar))
      qualify is_code = max(is_code) over ()
    )
  )
end;
