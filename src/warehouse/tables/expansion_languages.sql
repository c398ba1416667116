-- expansion_languages: the languages an expansion was printed in
-- grain:  one row per (game_id, expansion_id, position)
-- reads:  expansions
-- columns:
--   game_id varchar: the game's id
--   expansion_id bigint: the expansion's id
--   position integer: position in the feed's list, from 1
--   language varchar: code such as en or zh-Hans, an open list, not always ISO 639
select
  game_id,
  expansion_id,
  unnest(range(1, len(languages) + 1))::integer as position,
  unnest(languages) as language
from expansions
