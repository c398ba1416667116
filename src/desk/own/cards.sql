-- own_cards: an import's cards with their verdicts, as they are stored
-- grain:  one row per row of own_said
-- reads:  own_said, own_matched, own_candidates, own_rest, own_games; variables own_collection, own_tool, own_imported_at
create or replace temp table own_cards as
with others as (
  select line, arg_min(product_name, way) as product_name, min(way) as way from own_candidates where not is_taken group by line
),
judged as (
  select s.*, m.way, m.products, m.game_id, m.product_id, m.finishes, o.product_name as other_name, o.way as other_way,
    coalesce(r.names_set, false) as names_set,
    -- if nothing names the finish, it is the one that the id belongs to
    if(s.finish_text is null and len(m.id_finishes) = 1, search.folded(m.id_finishes[1]), s.finish_text) as wanted_finish,
    s.game_said is not null and s.game_said not in (select game_said from own_games) as is_unknown_game
  from own_said s
  left join own_matched m using (line)
  left join own_rest r using (line)
  left join others o using (line)
),
told as (
  select *,
    case
      when file_quantity is null then 'unknown: its quantity is not a whole number'
      when is_unknown_game then 'unknown: this lake has no game called ' || game_said
      when products > 1 then 'ambiguous: ' || products || ' products'
      when way is not null then 'matched by ' || ['product id', 'sourceEur', 'sourceUsd', 'mtgId', 'set and number', 'name'][way]
      when other_way between 1 and 4
        then 'unknown: its ' || ['product id', 'sourceEur', 'sourceUsd', 'mtgId'][other_way] || ' is ' || other_name || ' here'
      when other_way = 5 then 'unknown: ' || coalesce(set_code, set_name) || ' ' || number || ' is ' || other_name || ' here'
      when name is not null and names_set then 'unknown: no ' || name || ' in ' || coalesce(set_name, set_code)
      when name is not null then 'unknown: nothing here is called ' || name
      when coalesce(product_said::varchar, source_eur, source_usd, mtg_id) is not null then 'unknown: nothing here has its id'
      else 'unknown: it has neither an id nor a name'
    end as verdict
  from judged
)
select getvariable('own_collection') as collection, row, getvariable('own_tool') as tool, getvariable('own_imported_at')::timestamptz as imported_at, list, list_kind, file_quantity, cards, name, set_code, set_name, number,
  condition_said, condition, language_said, language, grade, is_altered, is_signed, is_misprint, is_proxy, paid, if(paid is null, null, paid_currency) as paid_currency,
  added, if(starts_with(verdict, 'matched'), game_id, null) as game_id, if(starts_with(verdict, 'matched'), product_id, null) as product_id,
  case when starts_with(verdict, 'matched') then coalesce(
    list_filter(finishes, lambda f: f.folded = wanted_finish)[1].finish,
    case
      when own_finish_kind(wanted_finish) = 'etched'
        then coalesce(list_filter(finishes, lambda f: contains(f.folded, 'etched'))[1].finish, list_filter(finishes, lambda f: f.folded = 'foil')[1].finish)
      when own_finish_kind(wanted_finish) = 'foil'
        then coalesce(list_filter(finishes, lambda f: f.folded = 'foil')[1].finish,
          if(len(list_filter(finishes, lambda f: f.folded <> 'standard')) = 1, list_filter(finishes, lambda f: f.folded <> 'standard')[1].finish, null))
      when wanted_finish is null or own_finish_kind(wanted_finish) = 'standard'
        then coalesce(list_filter(finishes, lambda f: f.folded = 'standard')[1].finish,
          if(wanted_finish is null and len(finishes) = 1, finishes[1].finish, null))
    end
  ) end as finish,
  coalesce(finish_text, '') as finish_said, verdict, products as candidates, said
from told
order by line;
