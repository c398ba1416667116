-- steps: prices that changed or appeared in one of the last seven readings, and which of these changes are jumps
-- grain:  one row per (game_id, seen_at, product_id, finish, source)
-- takes:  ts: the last reading is the last before this time; null = the nights that follow those of trust.spans
-- columns:
--   seen_at: the night of the change
--   middle: median of the logarithm of the price in its own readings: those with a price among the 30 before the change; null = the change is no jump
--   deviation: their robust deviation (1.4826 times the median absolute deviation), at least 0.05
--   set_move: median move of its set (game, expansion, source, currency) from the night before, as a logarithm. The move without it is beyond five
--     deviations of the price's readings, and of the set's moves
create macro trust.steps(ts) as table
with numbered as materialized (
  select game_id, snapshot, seen_at, is_confirmation, row_number() over (partition by game_id order by seen_at desc) as back
  from readings where ts is null or seen_at <= as_time(ts)
),
targets as materialized (
  select t.game_id, t.snapshot, t.seen_at, t.back, b.snapshot as snapshot_before, ts is null and t.back = min(t.back) over (partition by t.game_id) as is_last
  from numbered t join numbered b on b.game_id = t.game_id and b.back = t.back + 1
  left join trust.spans d on d.game_id = t.game_id
  where t.back <= 7 and not t.is_confirmation and (ts is not null or d.seen_at is null or t.seen_at > d.seen_at)
),
newer as (
  select h.game_id, t.seen_at, t.back, h.product_id, h.finish, h.source, h.currency, h.market_value
  from files.source_prices h join targets t on t.game_id = h.game_id and t.snapshot = h.snapshot where h.market_value > 0
),
older as (
  select h.game_id, t.seen_at, h.product_id, h.finish, h.source, h.currency, h.market_value
  from files.source_prices h join targets t on t.game_id = h.game_id and t.snapshot_before = h.snapshot where h.market_value > 0
),
pairs as materialized (
  select n.*, o.market_value as old, ln(n.market_value / o.market_value) as move
  from newer n left join older o using (game_id, seen_at, product_id, finish, source, currency)
),
-- The set that each product was in on the night.
sets as (
  select game_id, t.seen_at, p.product_id, p.expansion_id from targets t join products p using (game_id) where t.is_last
  union all
  select t.game_id, t.seen_at, p.product_id, p.expansion_id
  from targets t join product_history p on p.game_id = t.game_id and p.valid_from <= t.seen_at and (p.valid_to is null or p.valid_to > t.seen_at)
  where not t.is_last
),
placed as materialized (
  select p.*, s.expansion_id from pairs p left join sets s using (game_id, seen_at, product_id)
),
set_moves as materialized (
  select game_id, seen_at, expansion_id, source, currency, median(move) as set_move, greatest(1.4826 * mad(move), 0.05) as set_deviation
  from placed where move is not null group by game_id, seen_at, expansion_id, source, currency
),
-- Few prices move so far. A price that appears is compared with its last one, and has no set's move if no other price of its set was there before.
candidates as materialized (
  select p.*, coalesce(s.set_move, 0) as set_move, coalesce(s.set_deviation, 0.05) as set_deviation
  from placed p left join set_moves s on s.game_id = p.game_id and s.seen_at = p.seen_at and s.expansion_id is not distinct from p.expansion_id
    and s.source = p.source and s.currency = p.currency
  where p.old is null or (abs(p.move) > 0.25 and abs(p.move - s.set_move) > 5 * s.set_deviation)
),
windows as materialized (
  select t.game_id, t.seen_at, r.snapshot, r.seen_at as read_at
  from targets t join numbered r on r.game_id = t.game_id and r.back between t.back + 1 and t.back + 30
),
-- The few prices are chosen first, by their products alone, which takes a third of the time. Without `distinct`, DuckDB would join all prices with the windows.
own as materialized (
  select distinct h.game_id, h.snapshot, h.product_id, h.finish, h.source, h.currency, h.market_value
  from files.source_prices h
  join (select distinct game_id, snapshot from windows) w using (game_id, snapshot)
  semi join (select distinct product_id from candidates) c on c.product_id = h.product_id
  where h.market_value > 0
),
measured as (
  select c.game_id, c.seen_at, c.product_id, c.finish, c.source, any_value(c.set_move) as set_move, any_value(c.set_deviation) as set_deviation,
    median(ln(o.market_value)) as middle, greatest(1.4826 * mad(ln(o.market_value)), 0.05) as deviation, count(*) as readings,
    ln(any_value(c.market_value)) as level, ln(any_value(c.market_value) / arg_max(o.market_value, w.read_at)) as move
  from candidates c
  join windows w on w.game_id = c.game_id and w.seen_at = c.seen_at
  join own o on o.game_id = c.game_id and o.snapshot = w.snapshot and o.product_id = c.product_id and o.finish = c.finish and o.source = c.source and o.currency = c.currency
  anti join reused_ids u on u.game_id = c.game_id and u.product_id = c.product_id and u.seen_at > w.read_at and u.seen_at <= c.seen_at
  group by c.game_id, c.seen_at, c.product_id, c.finish, c.source
),
jumps as (
  from measured
  where readings >= 3 and least(abs(level - middle), abs(move), abs(move - set_move)) > 5 * deviation and abs(move - set_move) > 5 * set_deviation
)
select p.game_id, p.seen_at, p.product_id, p.finish, p.source, p.currency, j.middle, j.deviation, j.set_move
from pairs p left join jumps j using (game_id, seen_at, product_id, finish, source)
where p.old is null or p.old <> p.market_value;
