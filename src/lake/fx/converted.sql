-- An amount in another currency by two rates, both units for one EUR: exact to four decimal places, as the division comes last and in whole
-- numbers. Null where a rate is.
create macro converted(amount, rate_from, rate_to) as (
  (
    (2 * (amount * 10000)::hugeint * (rate_to * 1000000)::hugeint + (rate_from * 1000000)::hugeint)
    // (2 * (rate_from * 1000000)::hugeint)
  )::decimal(24, 0) * 0.0001::decimal(4, 4)
)
