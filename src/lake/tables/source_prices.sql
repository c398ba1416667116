-- source_prices: what a third-party price source says of one finish of a product, as of the reading
-- grain:  one row per (game_id, product_id, finish, source)
-- reads:  finish_prices
-- checks: (game_id, product_id, finish, source) is unique; low >= 0; mid >= 0; high >= 0; market_value >= 0; source in ('sourceEur', 'sourceUsd')
-- absent: no row = the source has no block for the finish; null = the block lacks the figure; 0 = the source says 0
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   finish varchar: such as Standard or Foil; sealed products sit under Standard
--   source varchar: sourceEur or sourceUsd
--   currency varchar: of low, mid, high and market_value: EUR for sourceEur, USD for sourceUsd
--   low decimal(18, 4): lowest price, major unit; null = not given
--   mid decimal(18, 4): middle price, major unit; null = not given
--   high decimal(18, 4): highest price, major unit; null = not given
--   market_value decimal(18, 4): the source's market value, major unit; null = not given
--   change_24h decimal(12, 4): percent of market_value against a day ago, rounded to four places, 5 is +5 %; null = history too short
--   change_7d decimal(12, 4): percent against 7 days ago; null = history too short
--   change_30d decimal(12, 4): percent against 30 days ago; null = history too short
--   extra json since 2: JSON object of the block's keys that the contract does not know, and of percentages beyond 99,999,999; null = none
--   is_listed: whether the product lists the finish; the lake says it, the Parquet does not
create view source_prices as
with blocks as (
  select product_id, finish, 'sourceEur' as source, blocks."sourceEur" as block
  from finish_prices where blocks."sourceEur" is not null
  union all
  select product_id, finish, 'sourceUsd', blocks."sourceUsd"
  from finish_prices where blocks."sourceUsd" is not null
)
select
  getvariable('game_id') as game_id,
  product_id,
  finish,
  source,
  block.currency as currency,
  block.low::decimal(18, 4) as low,
  block.mid::decimal(18, 4) as mid,
  block.high::decimal(18, 4) as high,
  block."marketValue"::decimal(18, 4) as market_value,
  percentage(block.change24h) as change_24h,
  percentage(block.change7d) as change_7d,
  percentage(block.change30d) as change_30d,
  case
    when greatest(abs(block.change24h), abs(block.change7d), abs(block.change30d)) > 99_999_999
    then kept_percentage(
      kept_percentage(kept_percentage(block.extra, 'change24h', block.change24h), 'change7d', block.change7d),
      'change30d', block.change30d
    )
    else block.extra
  end as extra
from blocks
order by product_id, finish, source;
