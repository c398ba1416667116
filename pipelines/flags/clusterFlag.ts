import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import * as Redacted from "effect/Redacted"

/** Length of a member's name, and of a schedule's times: the columns that have them end at 150 and more. */
export const maxNameLength = 100

const isPostgres = (text: string): boolean => /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)

/** Redacted: an address of Postgres often has a password. The variable keeps it out of process lists. */
export const cluster = Flag.Redacted("cluster").pipe(
  Flag.withMetavar("POSTGRES_URL"),
  Flag.withDescription(
    "The Postgres that a fleet of workers shares, postgres://user:password@host/database; default: CARDLAKE_CLUSTER"
  ),
  Flag.withFallbackConfig(Config.Redacted("CARDLAKE_CLUSTER")),
  Flag.filter(
    (address) => isPostgres(Redacted.value(address)),
    () =>
      "Expected postgres://user:password@host/database; in a password, write / as %2F, ? as %3F, # as %23, @ as %40, % as %25"
  )
)
