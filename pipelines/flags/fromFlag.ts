import * as Option from "effect/Option"
import { optionalText } from "./sharedFlags.ts"
import { type Asked, given } from "./recordFault.ts"

/** What `cardlake sandbox` serves instead of a catalogue. */
export const from = optionalText(
  "from",
  "FILE",
  "Serve what a marketplace answered to doctor --capture, and nothing else"
)

/** Why other flags do not go together with `--from`, which serves nothing else; null: they do. */
export const fromFault = (asked: Asked): string | null => {
  if (Option.isNone(asked.from)) return null
  const unread = given({
    "--catalogue": !asked.isSample,
    "--odd": asked.odd,
    "--synthetic": asked.synthetic,
    "--state": asked.state,
    "--live": asked.live !== "first",
    "--rate": asked.rate,
    "--dialect": asked.dialect !== "spec",
    "--faults": asked.faults,
    "--accounts": asked.accounts,
    "--orders": asked.orders,
    "--accounts-file": asked.accountsFile,
    "--empty": asked.empty,
    "--record": asked.record
  })
  return unread.length === 0
    ? null
    : `--from serves what was captured, in its own words and at its own limits. Leave out ${unread.join(", ")}`
}
