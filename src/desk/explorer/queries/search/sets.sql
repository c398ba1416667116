-- sets: expansions with code and name as a search compares them, folded once and not for each search
-- reads: expansions
create temporary table sets as
select game_id, expansion_id, name, code, release_date, card_count, coalesce(search.folded(code), '') as folded_code, search.folded(name) as folded
from expansions;
