import { ownText } from "../../../feed/disk/ownText.ts"
import { offsetListNames } from "../../../feed/client/offsetLists.ts"
import { canBeElsewhere } from "../../../feed/contract/schemaFault.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { type HoldRule, percentsApart, type Row } from "./HoldRule.ts"

/** Returns the invalid field and the reason if they are the same in every refused record; else null. */
const commonCause = (rows: ReadonlyArray<Row>): string | null => {
  const [first] = rows
  if (first === undefined) return null
  const formatCause = ({ path, reason }: Row) =>
    `${String(path).split(".").at(-1)} ${String(reason).replace(/, got .*$/s, "")}`
  if (rows.some((row) => formatCause(row) !== formatCause(first))) return null
  return `${shownText(String(first["path"]), 100)}: ${shownText(String(first["reason"]), 100)}`
}

/** The contract refuses too large a share of the records of all lists. */
export const refused: HoldRule = {
  name: "refused",
  bound: 0.01,
  sql: ownText(new URL("./refused.sql", import.meta.url)),
  judges: "every night",
  onPage: "may be held",
  // A value that is present and invalid is invalid in every dialect.
  look: (rows) =>
    commonCause(rows) !== null && canBeElsewhere(String(rows[0]?.["reason"])) ? "refused, perhaps moved" : "refused",
  sentences: ({ manifest }, rows, bound) => {
    const accepted = offsetListNames.reduce((sum, list) => sum + (manifest.tables[list]?.rows ?? 0), 0)
    const share = manifest.refused / Math.max(1, accepted + manifest.refused)
    if (share <= bound) return []
    const were = manifest.refused === 1 ? "record was" : "records were"
    const [refused, most] = percentsApart(share, bound)
    const sentence = `${manifest.refused} ${were} refused (${refused}), more than ${most}`
    const cause = commonCause(rows)
    return [cause === null ? sentence : `${sentence}, all because of ${cause}`]
  }
}
