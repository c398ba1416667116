import { Effect } from "effect"
import { ownText } from "../../../feed/disk/ownText.ts"
import type { Session } from "../duckdb/Lake.ts"

const text = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))

/** All SQL of the verdicts, which identifies the program that built a lake. */
export const trustSql: ReadonlyArray<string> = ["tables", "steps", "verdicts", "publication", "spans"].map(text)
const [tables = "", steps = "", verdicts = "", publication = "", spans = ""] = trustSql

export const trustTables = ["changes", "jumps", "spans"] as const

/** Creates schema `trust`, which macro `price_trust` reads; `made` replaces its empty tables. Requires the views of the history. */
export const makeTrust = (session: Session, made = tables) =>
  session.run("Make a schema for the trust in prices", [made, steps, verdicts].join(";\n"))

/** Finds out if a night, or a correction of earlier ones, is not yet in schema `trust`, and if a game was read twice. */
export const findStaleTrust = Effect.fnUntraced(function* (session: Session) {
  const [found] = yield* session.rows("Find whose prices have older verdicts", text("stale"))
  return { isStale: found?.["is_stale"] === true, isComparable: found?.["is_comparable"] === true }
})

/** Updates schema `trust` with what moved in the nights since the last publication. Requires `readings` and `reused_ids`. */
export const publishTrust = Effect.fn("publishTrust")(function* (session: Session) {
  const { isComparable, isStale } = yield* findStaleTrust(session)
  if (!isStale) return
  // First readings have no changes.
  const changed = isComparable ? publication : "delete from trust.changes; delete from trust.jumps;"
  // A damaged price of an earlier night must not stop a publication; doctor reports it.
  yield* Effect.catchTag(
    session.run("Publish the trust in prices", `${changed}\n${spans}`),
    "LakeError",
    ({ message }) =>
      Effect.andThen(
        Effect.logWarning(`Prices have no verdicts: ${message}`),
        session.run("Leave out the trust in prices", "delete from trust.spans")
      )
  )
})
