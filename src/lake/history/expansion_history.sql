-- expansion_history: every version of every expansion
-- grain:  one row per (game_id, expansion_id, valid_from)
-- absent: no row at a time = the expansion was not in the catalogue then
-- columns:
--   game_id: the game's id
--   expansion_id: the marketplace's id
--   valid_from: when this version was first read, UTC
--   valid_to: when it was first read otherwise, or no longer there, UTC; null = it is so still
--   deployment_id: changelog head of the reading that brought it; null = the feed had no entry
--   change: added or modified
--   changed: fields that differ from the version before, sorted; null = added
--   slug: URL-friendly name; null = none
--   name: display name
--   code: short code, no key; null = none
--   languages: languages it was printed in; null = the feed does not say
--   release_date: UTC; null = the feed does not say
--   card_count: cards as the feed counts them; null = the feed does not say
--   sealed_product_count: sealed products as the feed counts them; null = the feed does not say
--   logo_url: image; null = none
--   symbol_url: image; null = none
--   attributes: JSON object, open, per game; null = none
--   extra: JSON object of keys the contract does not know; null = none
create view expansion_history as
with versions as (
  select v.*, n.seen_at as valid_from, n.deployment_id,
    lead(n.seen_at) over (partition by v.game_id, v.expansion_id order by n.place) as valid_to
  from files.expansion_versions v
  join nights n using (game_id, snapshot)
)
select game_id, expansion_id, valid_from, valid_to, deployment_id, change, changed, slug, name, code, languages, release_date, card_count,
  sealed_product_count, logo_url, symbol_url, attributes, extra
from versions
where change <> 'removed';
