-- own_finish_kind: standard, foil or etched, from a folded finish; null = another word
create or replace temp macro own_finish_kind(finish) as case
  when finish in ('', 'normal', 'nonfoil', 'non foil', 'regular', 'standard') then 'standard'
  when contains(finish, 'etched') then 'etched'
  when regexp_matches(finish, '(^| )(foil|foils|foiled|holo|holos|holofoil|holographic)( |$)') then 'foil'
end;

-- own_game_words: the words of a game's name
create or replace temp macro own_game_words(title) as
  trim(regexp_replace(search.folded(replace(title, '&', ' and ')), '(^| )(tcg|ccg|trading card game|trading cards?)( |$)', ' ', 'g'));

-- own_system_bit: a number of one bit for each system of external ids that files name
create or replace temp macro own_system_bit(system) as case system when 'sourceEur' then 1 when 'sourceUsd' then 2 when 'mtgId' then 4 else 0 end;

-- own_exactness: how exactly a row's name is a product's: the two have a key in common
create or replace temp macro own_exactness(row_name, product_name) as case
  when row_name.lowered = product_name.lowered then 4
  when row_name.folded = product_name.folded then 3
  when row_name.is_whole and product_name.is_whole then 2
  else 1
end;
