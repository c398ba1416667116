import * as Option from "effect/Option"

/** What `cardlake sandbox` was asked for. */
export interface Asked {
  readonly record: Option.Option<string>
  readonly from: Option.Option<string>
  readonly accountsFile: Option.Option<string>
  readonly accounts: Option.Option<number>
  readonly orders: Option.Option<number>
  readonly state: Option.Option<string>
  readonly key: Option.Option<string>
  readonly faults: Option.Option<string>
  readonly rate: Option.Option<number>
  readonly synthetic: Option.Option<number>
  readonly empty: boolean
  readonly odd: boolean
  readonly isSample: boolean
  readonly dialect: string
  readonly live: string
}

/** The names of those flags that were given. */
export const given = (flags: Readonly<Record<string, Option.Option<unknown> | boolean>>): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([name, flag]) =>
    (typeof flag === "boolean" ? flag : Option.isSome(flag)) ? [name] : []
  )

/** Why what was asked of `cardlake sandbox` does not go together, with the next step; null: it does. */
export const recordFault = (asked: Asked): string | null => {
  const { accounts, accountsFile, empty, faults, isSample, key, odd, orders, rate, record, state, synthetic } = asked
  const begins = { "--accounts": accounts, "--orders": orders, "--accounts-file": accountsFile }
  const [first] = given(begins)
  if (empty && first !== undefined) return `--empty and ${first} say opposite things. Leave out one of them`
  if (Option.isNone(record)) return null
  const unread = given({
    ...begins,
    "--state": state,
    "--key": key,
    "--faults": faults,
    "--rate": rate,
    "--synthetic": synthetic,
    "--empty": empty,
    "--odd": odd,
    "--catalogue": !isSample
  })
  return unread.length === 0
    ? null
    : `--record is of the sample, with accounts of its own. Leave out ${unread.join(", ")}`
}
