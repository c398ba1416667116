-- own_reading: the last reading of each game until a time; null = the newest
create or replace temp macro own_reading(ts) as table
select game_id, arg_max(snapshot, seen_at) as snapshot, max(seen_at) as seen_at, max(day) as day
from readings where ts is null or seen_at <= as_time(coalesce(ts::varchar, '1970-01-01')) group by game_id;

-- own_day_end: the last moment of a UTC day; null = null
create or replace temp macro own_day_end(day) as as_day(day, 'my_movers: until') + time '23:59:59.999999';

-- own_counted: my cards, with why a card has no price of its own, which leaves it out of worth, series and moves alike; null = it counts
create or replace temp view own_counted as
select *, case
    when product_id is null then 'not matched'
    when is_proxy then 'proxy'
    when grade is not null then 'graded'
    when is_altered then 'altered'
    when is_signed then 'signed'
    when is_misprint then 'misprint'
    when finish is null then 'finish not known'
    when condition_said is not null and condition is null or language_said is not null and language is null then 'condition unknown'
  end as left_out
from collection_cards;

-- own_cards_at: my cards beside that reading; the day of a card that is not matched is that of the newest of them. Which product a card is was found at its import; is_another: its id stood for another one at the reading
create or replace temp macro own_cards_at(ts) as table
with another as (
  select distinct c.game_id, c.product_id, c.imported_at
  from collection_cards c join reused_ids r on r.game_id = c.game_id and r.product_id = c.product_id
  join own_reading(ts) l on l.game_id = c.game_id
  where (r.seen_at <= c.imported_at) <> (r.seen_at <= l.seen_at)
)
select c.*, coalesce(l.day, (select max(day) from own_reading(ts))) as day, a.product_id is not null as is_another
from own_counted c left join own_reading(ts) l on l.game_id = c.game_id
left join another a on a.game_id = c.game_id and a.product_id = c.product_id and a.imported_at = c.imported_at;

-- own_prices: the market values of my cards at that reading
create or replace temp macro own_prices(ts) as table
select game_id, product_id, finish, source, currency, market_value
from (
  select game_id, product_id, finish, source, currency, market_value from source_prices where ts is null
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value
  from source_price_history h join own_reading(ts) using (game_id, snapshot) where ts is not null and h.origin = 'night'
) semi join (from collection_cards where finish is not null) using (game_id, product_id, finish)
where market_value > 0;

-- own_source_name: the requested source; null = none
create or replace temp macro own_source_name(source_name) as
  if(source_name is null or source_name in ('sourceEur', 'sourceUsd'), source_name, error('source_name must be sourceEur or sourceUsd'));

-- own_source: the price source of each of my cards: the requested one; else the European one if it has a price at that
-- reading, else the American one; for cards without a price then, the one that had a price before
create or replace temp macro own_source(source_name, ts := null) as table
with now as (
  select game_id, product_id, finish, min(source) as source from own_prices(ts) group by game_id, product_id, finish
),
past as (
  select game_id, product_id, finish, min(source) as source
  from source_price_history
  semi join (from collection_cards anti join now using (game_id, product_id, finish) where ts is null) using (game_id, product_id, finish)
  where origin = 'night' and market_value > 0 group by game_id, product_id, finish
)
select game_id, product_id, finish, coalesce(own_source_name(source_name), source) as source
from (from now union all from past);

-- own_rates: exchange rates between two currencies by day, as two rates for one EUR
create or replace temp macro own_rates(to_currency) as table
select f.currency, f.day, f.rate as rate_from, t.rate as rate_to
from fx_daily f join fx_daily t on t.day = f.day and t.currency = if(
  regexp_full_match(to_currency, '[A-Z]{3}'), to_currency, error('to_currency must be three capitals, such as EUR'))
where f.currency <> to_currency;

-- own_amount: a price times cards in another currency, rounded once, to four places
create or replace temp macro own_amount(cards, amount, from_currency, to_currency, rate_from, rate_to) as if(
  from_currency = to_currency, cards * amount, converted((cards * amount)::decimal(24, 4), rate_from, rate_to))::decimal(24, 4);

-- own_versions: the version of my cards' products at the last reading until a time; null = no rows, because products has the current version
create or replace temp macro own_versions(ts) as table
select v.game_id, v.product_id, v.name, v.expansion_code, v.print_number, v.languages
from product_history v join own_reading(ts) l using (game_id)
semi join collection_cards c on c.game_id = v.game_id and c.product_id = v.product_id
where ts is not null and v.valid_from <= l.seen_at and (v.valid_to is null or v.valid_to > l.seen_at);

-- collection_value: What is each of my cards worth, now or on any night?
-- grain:  one row per row of an imported file, without cards of decks and lists
-- takes:  ts: a time; the last reading before it is used, default null = the newest; to_currency: a currency code, default EUR; source_name: sourceEur or sourceUsd, default null = for each card sourceEur if it has a price, else sourceUsd
-- columns:
--   market_value: market value of the finish, in the source's currency
--   price: price of one card: the source's lowest price in the card's condition and language if the feed has it, else the market value
--   basis: market value; low of the condition; market value of any condition = estimated, as the feed prices no such card; condition unknown = the file's condition or language is not understood: its market value is totalled apart, and is in no worth
--   value: price times cards, in to_currency (value_currency) at the rate of the last reading's UTC day; null = why_not says why
--   market_value_in: market_value times cards, in to_currency
--   why_not: not matched, graded, altered, signed, misprint, proxy, finish not known, no price, no rate
--   cost: paid times cards, in to_currency at the same rate; null = not known, or in an unknown currency
create or replace temp macro collection_value(ts := null, to_currency := 'EUR', source_name := null) as table
with prices as (
  from own_prices(ts)
  where source = coalesce(own_source_name(source_name), source)
  qualify source = min(source) over (partition by game_id, product_id, finish)
),
known as (
  select game_id, product_id, name, expansion_code, print_number from products where ts is null
  union all
  select v.game_id, v.product_id, v.name, v.expansion_code, v.print_number from own_versions(ts) v
),
of_condition as (
  select game_id, product_id, finish, source, condition, coalesce(language, '') as language, low
  from source_price_conditions where ts is null and low > 0
),
-- a printing in one language is that language's price
languages as (
  select game_id, product_id, if(count(*) = 1, any_value(language), null) as only_language from product_languages where ts is null group by game_id, product_id
  union all
  select game_id, product_id, if(len(languages) = 1, languages[1], null) from own_versions(ts)
),
priced as (
  select c.*, p.source, p.currency, p.market_value,
    coalesce(c.condition, 'NM') = 'NM' and (c.language is null or c.language = coalesce(g.only_language, 'en')) as is_usual,
    coalesce(b.low, if(c.language is null or c.language = coalesce(g.only_language, 'en'), a.low, null)) as low
  from own_cards_at(ts) c
  left join prices p on p.game_id = c.game_id and p.product_id = c.product_id and p.finish = c.finish
  left join languages g on g.game_id = c.game_id and g.product_id = c.product_id
  left join of_condition b on b.game_id = c.game_id and b.product_id = c.product_id and b.finish = c.finish and b.source = p.source
    and b.condition = coalesce(c.condition, 'NM') and b.language = c.language
  left join of_condition a on a.game_id = c.game_id and a.product_id = c.product_id and a.finish = c.finish and a.source = p.source
    and a.condition = coalesce(c.condition, 'NM') and a.language = ''
  where c.list_kind = 'collection'
),
judged as (
  select *, if(is_another, null, product_id) as known_id,
    case when left_out <> 'condition unknown' then left_out when market_value is null or is_another then 'no price' end as why_not,
    case when left_out = 'condition unknown' then left_out when is_usual then 'market value' when low is not null then 'low of the condition'
      else 'market value of any condition' end as basis
  from priced
)
select j.collection, j.row, j.game_id, j.product_id, coalesce(p.name, j.name) as name, coalesce(p.expansion_code, j.set_code) as expansion_code,
  coalesce(p.print_number, j.number) as print_number, j.finish, j.condition, j.language, if(j.is_proxy, 0, j.cards) as cards, j.source, j.currency,
  j.market_value, if(j.why_not is null, if(j.basis = 'low of the condition', j.low, j.market_value), null) as price,
  if(j.why_not is null, j.basis, null) as basis,
  if(j.why_not is null, own_amount(j.cards, if(j.basis = 'low of the condition', j.low, j.market_value), j.currency, to_currency, x.rate_from, x.rate_to), null) as value,
  to_currency as value_currency,
  if(j.why_not is null, own_amount(j.cards, j.market_value, j.currency, to_currency, x.rate_from, x.rate_to), null) as market_value_in,
  coalesce(j.why_not, if(j.currency <> to_currency and x.rate_to is null, 'no rate', null)) as why_not,
  j.paid, j.paid_currency, own_amount(j.cards, j.paid, j.paid_currency, to_currency, y.rate_from, y.rate_to) as cost, j.verdict
from judged j
left join known p on p.game_id = j.game_id and p.product_id = j.known_id
left join own_rates(to_currency) x on x.currency = j.currency and x.day = j.day
left join own_rates(to_currency) y on y.currency = j.paid_currency and y.day = j.day
order by value desc nulls last, j.collection, j.row;

-- collection_counts: Which of my cards are in the worth of a collection, and why are the others not?
-- grain:  one row per (collection, currency, counts_as)
-- takes:  as collection_value
-- columns:
--   counts_as: basis of the price, as in collection_value, or why there is none; of a deck, of a list and proxy are cards that collection_value leaves out
--   is_in_worth: whether it is a part of the worth: the price of the card's own condition, or estimated by that of another
--   cards: all cards of the imported files are in one of the rows
--   market_value: of the priced cards by the finish's market value
--   cost: of the cards with a value that say what was paid, in a known currency
--   gain: value of the same cards less cost
create or replace temp macro collection_counts(ts := null, to_currency := 'EUR', source_name := null) as table
select collection, value_currency as currency, coalesce(why_not, basis) as counts_as, coalesce(bool_or(basis <> 'condition unknown' and value is not null), false) as is_in_worth,
  count(*) as rows, sum(cards)::bigint as cards, sum(value)::decimal(24, 4) as value, sum(market_value_in)::decimal(24, 4) as market_value,
  sum(cost) filter (value is not null)::decimal(24, 4) as cost, sum(value - cost)::decimal(24, 4) as gain
from collection_value(ts := ts, to_currency := to_currency, source_name := source_name)
where why_not is distinct from 'proxy'
group by all
union all
select collection, to_currency, if(list_kind = 'collection', 'proxy', 'of a ' || list_kind), false, count(*), sum(cards)::bigint, null, null, null, null
from collection_cards where list_kind <> 'collection' or is_proxy
group by all
order by collection, is_in_worth desc, value desc nulls last, cards desc, counts_as;

-- collection_totals: What is each of my collections worth?
-- grain:  one row per (collection, currency)
-- takes:  as collection_value
-- columns:
--   cards: all but proxies and those of decks and lists; collection_counts has them, too
--   worth: value and value_of_any_condition together: what the page, the import and the report call worth
--   value: of the cards whose price is of their own condition
--   value_of_any_condition: estimated: of those that the feed prices in no such condition, by the finish's market value
--   value_of_unknown_condition: of those whose condition or language is not understood, by the finish's market value; in no worth
--   cards_without_price: cards that count nowhere above; collection_counts says why
--   market_value: of all cards in the worth by the finish's market value: what collection_value_series follows
--   cost: of the cards in the worth that say what was paid, in a known currency
--   gain: value of the same cards less cost
create or replace temp macro collection_totals(ts := null, to_currency := 'EUR', source_name := null) as table
with counted as (
  from collection_counts(ts := ts, to_currency := to_currency, source_name := source_name) where counts_as not in ('of a deck', 'of a list')
)
select collection, currency, coalesce(sum(cards) filter (counts_as <> 'proxy'), 0)::bigint as cards, coalesce(sum(value) filter (is_in_worth), 0)::decimal(24, 4) as worth,
  coalesce(sum(value) filter (is_in_worth and counts_as <> 'market value of any condition'), 0)::decimal(24, 4) as value,
  coalesce(sum(value) filter (counts_as = 'market value of any condition'), 0)::decimal(24, 4) as value_of_any_condition,
  coalesce(sum(value) filter (counts_as = 'condition unknown'), 0)::decimal(24, 4) as value_of_unknown_condition,
  coalesce(sum(cards) filter (value is null and counts_as <> 'proxy'), 0)::bigint as cards_without_price,
  coalesce(sum(market_value) filter (is_in_worth), 0)::decimal(24, 4) as market_value,
  sum(cost) filter (is_in_worth)::decimal(24, 4) as cost, sum(gain) filter (is_in_worth)::decimal(24, 4) as gain
from counted
group by collection, currency
order by worth desc, collection;

-- collection_value_series: What was my current collection worth, day by day?
-- grain:  one row per (collection, day)
-- takes:  to_currency, source_name: as collection_value
-- absent: days without a reading. Conditions have no history, so the finish's market value is used for every card
-- columns:
--   value: market_value of collection_totals on that day: at the rate of the day on which each game was last read; null = no rate is loaded
--   cards: cards with a price that day; value leaves out the others
--   like_for_like: index, 100 on the first day; it follows only cards that have a price on both days
create or replace temp macro collection_value_series(to_currency := 'EUR', source_name := null) as table
with mine as (
  -- rows of as many cards are worth the same, as each is converted for itself
  select collection, game_id, product_id, finish, cards as each, count(*) as times, sum(cards) as cards
  from own_counted where list_kind = 'collection' and left_out is null group by all
),
of_day as (
  select game_id, day, arg_max(snapshot, seen_at) as snapshot, max(seen_at) as seen_at from readings group by game_id, day
),
days as (
  select distinct day from of_day
),
-- a game that was not read on a day counts as it was read last
known as (
  select d.day, o.game_id, arg_max(o.snapshot, o.day) as snapshot, max(o.day) as read_on, max(o.seen_at) as seen_at
  from days d join of_day o on o.day <= d.day group by d.day, o.game_id
),
priced as (
  select m.collection, k.day, m.game_id, m.product_id, m.finish, m.each, m.cards,
    m.times * own_amount(m.each, h.market_value, h.currency, to_currency, x.rate_from, x.rate_to) as value
  from mine m
  join source_price_history h on h.game_id = m.game_id and h.product_id = m.product_id and h.finish = m.finish
  join own_source(source_name) s on s.game_id = h.game_id and s.product_id = h.product_id and s.finish = h.finish and s.source = h.source
  join known k on k.game_id = h.game_id and k.snapshot = h.snapshot
  left join own_rates(to_currency) x on x.currency = h.currency and x.day = k.read_on
  anti join reused_ids r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > k.seen_at
  where h.origin = 'night' and h.market_value > 0
),
steps as (
  select *, lag(day) over own as day_before, lag(value) over own as value_before
  from priced window own as (partition by collection, game_id, product_id, finish, each order by day)
),
summed as (
  select collection, day, sum(value)::decimal(24, 4) as value, sum(cards)::bigint as cards, lag(day) over (partition by collection order by day) as day_before
  from priced group by collection, day
),
links as (
  select s.collection, s.day, sum(s.value)::double / sum(s.value_before)::double as link
  from steps s join summed d on d.collection = s.collection and d.day = s.day and d.day_before = s.day_before
  group by s.collection, s.day
)
select s.collection, s.day, s.value, to_currency as currency, s.cards,
  round(100 * product(coalesce(l.link, 1)) over (partition by s.collection order by s.day), 4) as like_for_like
from summed s left join links l using (collection, day)
order by s.collection, s.day;

-- my_movers: Which prices of my cards moved most?
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  days, since, until: as movers; source_name: as collection_value; min_price: default 0
-- columns:
--   *: as in movers
--   cards: number of my cards
--   change_of_all: change times cards
--   place: of the moves of its currency, the largest change_of_all first. Sums in two currencies are not compared: the first of each come first
create or replace temp macro my_movers(days := 7, min_price := 0, source_name := null, since := null, until := null) as table
select m.*, c.cards, (m.change * c.cards)::decimal(24, 4) as change_of_all,
  row_number() over (partition by m.currency order by abs(m.change * c.cards) desc, m.product_id, m.finish) as place
from movers(days := days, min_price := min_price, since := since, until := until) m
join own_source(source_name, ts := own_day_end(until)) using (game_id, product_id, finish, source)
join (
  select game_id, product_id, finish, sum(cards)::bigint as cards
  from own_cards_at(own_day_end(until)) where list_kind = 'collection' and left_out is null and not is_another group by all
) c using (game_id, product_id, finish)
order by place, currency, product_id, finish, source;

-- collection_missing: Which cards of an expansion do I not have, and what do they cost?
-- grain:  one row per (game_id, product_id)
-- takes:  expansion: its id; source_name: as collection_value; game: its game, if several games have that expansion id, default null = all
-- example: from collection_missing(305)
-- columns:
--   market_value: market value of the cheapest finish; null = no price
create or replace temp macro collection_missing(expansion, source_name := null, game := null) as table
select p.game_id, p.product_id, p.name, p.print_number, p.rarity, arg_min(s.finish, s.market_value) as finish, any_value(s.source) as source,
  any_value(s.currency) as currency, min(s.market_value) as market_value
from products p
left join (
  from source_prices where market_value > 0 and is_listed and source = coalesce(source_name, source)
  qualify source = min(source) over (partition by game_id, product_id)
) s on s.game_id = p.game_id and s.product_id = p.product_id
anti join (from collection_cards where list_kind = 'collection' and not is_proxy) c on c.game_id = p.game_id and c.product_id = p.product_id
where p.expansion_id = expansion and p.game_id = coalesce(game, p.game_id) and p.product_type = 'card'
group by p.game_id, p.product_id, p.name, p.print_number, p.rarity
order by market_value desc nulls last, p.product_id;
