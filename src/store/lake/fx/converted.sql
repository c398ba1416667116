-- An amount in another currency, from two rates in units per EUR. Exact to four decimal places, because the division comes last and in
-- whole numbers. Null if a rate is null.
create macro converted(amount, rate_from, rate_to) as (
  (
    (2 * (amount * 10000)::hugeint * (rate_to * 1000000)::hugeint + (rate_from * 1000000)::hugeint)
    // (2 * (rate_from * 1000000)::hugeint)
  )::decimal(24, 0) * 0.0001::decimal(4, 4)
)
