-- own_finish_kind: standard, foil or etched, from a folded finish; null = another word
create or replace temp macro own_finish_kind(finish) as case
  when finish in ('', 'normal', 'nonfoil', 'non foil', 'regular', 'standard') then 'standard'
  when contains(finish, 'etched') then 'etched'
  when regexp_matches(finish, '(^| )(foil|foils|foiled|holo|holos|holofoil|holographic)( |$)') then 'foil'
end;

-- own_game_words: the words of a game's name
create or replace temp macro own_game_words(title) as
  trim(regexp_replace(search.folded(replace(title, '&', ' and ')), '(^| )(tcg|ccg|trading card game|trading cards?)( |$)', ' ', 'g'));
