import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import * as Redacted from "effect/Redacted"

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
    () => "Expected an address that begins with postgres:// or postgresql://"
  )
)
