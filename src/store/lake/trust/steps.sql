-- steps: prices that changed or appeared in one of the last seven readings, and which of these changes are jumps
-- grain:  one row per (game_id, seen_at, product_id, finish, source)
-- takes:  ts: the last reading is the last before this time; null = the nights that follow those of trust.spans
-- columns:
--   seen_at: the night of the change
--   middle: median of the logarithm of the price in its own readings: those with a price among the 30 before the change; null = the change is no jump
--   deviation: their robust deviation (1.4826 times the median absolute deviation), at least 0.05
--   set_move: median move of its set (game, expansion, source, currency) from the night before, as a logarithm
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
-- A jump is beyond five deviations, of which each is at least 0.05. A price that appears is compared with its last one.
candidates as materialized (
  from pairs where old is null or abs(move) > 0.25
),
windows as materialized (
  select t.game_id, t.seen_at, r.snapshot, r.seen_at as read_at
  from targets t join numbered r on r.game_id = t.game_id and r.back between t.back + 1 and t.back + 30
),
-- The few prices are chosen first: each night is in up to seven windows.
own as materialized (
  select h.game_id, h.snapshot, h.product_id, h.finish, h.source, h.currency, h.market_value
  from files.source_prices h join (select distinct game_id, snapshot from windows) w using (game_id, snapshot)
  semi join candidates c on c.game_id = h.game_id and c.product_id = h.product_id and c.finish = h.finish and c.source = h.source
  where h.market_value > 0
),
measured as (
  select c.game_id, c.seen_at, c.product_id, c.finish, c.source, c.currency, median(ln(o.market_value)) as middle,
    greatest(1.4826 * mad(ln(o.market_value)), 0.05) as deviation, ln(any_value(c.market_value) / arg_max(o.market_value, w.read_at)) as move
  from candidates c
  join windows w on w.game_id = c.game_id and w.seen_at = c.seen_at
  join own o on o.game_id = c.game_id and o.snapshot = w.snapshot and o.product_id = c.product_id and o.finish = c.finish and o.source = c.source and o.currency = c.currency
  anti join reused_ids u on u.game_id = c.game_id and u.product_id = c.product_id and u.seen_at > w.read_at and u.seen_at <= c.seen_at
  group by c.game_id, c.seen_at, c.product_id, c.finish, c.source, c.currency
  having count(*) >= 3 and least(abs(ln(any_value(c.market_value)) - middle), abs(move)) > 5 * deviation
),
-- The set that each product was in on the night.
sets as materialized (
  select game_id, t.seen_at, p.product_id, p.expansion_id from targets t join products p using (game_id) where t.is_last
  union all
  select t.game_id, t.seen_at, p.product_id, p.expansion_id
  from targets t join product_history p on p.game_id = t.game_id and p.valid_from <= t.seen_at and (p.valid_to is null or p.valid_to > t.seen_at)
  where not t.is_last
),
measured_in_sets as materialized (
  select m.*, s.expansion_id from measured m left join sets s using (game_id, seen_at, product_id)
),
set_moves as (
  select p.game_id, p.seen_at, s.expansion_id, p.source, p.currency, median(p.move) as set_move
  from pairs p join sets s using (game_id, seen_at, product_id)
  where (p.game_id, p.seen_at) in (select (game_id, seen_at) from measured_in_sets) and p.move is not null
  group by all
),
jumps as (
  select m.game_id, m.seen_at, m.product_id, m.finish, m.source, m.middle, m.deviation, coalesce(s.set_move, 0) as set_move
  from measured_in_sets m left join set_moves s on s.game_id = m.game_id and s.seen_at = m.seen_at
    and s.expansion_id is not distinct from m.expansion_id and s.source = m.source and s.currency = m.currency
  where abs(m.move - coalesce(s.set_move, 0)) > 5 * m.deviation
)
select p.game_id, p.seen_at, p.product_id, p.finish, p.source, p.currency, j.middle, j.deviation, j.set_move
from pairs p left join jumps j using (game_id, seen_at, product_id, finish, source)
where p.old is null or p.old <> p.market_value;
