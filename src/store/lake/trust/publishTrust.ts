import { Effect } from "effect"
import { ownText } from "../../../feed/disk/ownText.ts"
import type { Session } from "../duckdb/Lake.ts"

const text = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))
const [tables, steps, publication, spans] = [text("tables"), text("steps"), text("publication"), text("spans")]

/** All SQL of the verdicts, which identifies the program that built a lake. */
export const trustSql: ReadonlyArray<string> = [tables, steps, publication, spans]

export const trustTables = ["changes", "jumps", "spans"] as const

/** Creates schema `trust`, which macro `price_trust` reads; `made` replaces its empty tables. Requires the views of the history. */
export const makeTrust = (session: Session, made = tables) =>
  session.run("Make a schema for the trust in prices", `${made};\n${steps}`)

/** Finds out if a night, or a correction of earlier ones, is not yet in schema `trust`, and if a game was read twice. */
export const findStaleTrust = Effect.fnUntraced(function* (session: Session) {
  // In the `where` of this join, DuckDB finds equal checksums distinct.
  const [found] = yield* session.rows(
    "Find whose prices have older verdicts",
    `select is_stale, readings > 1 as is_comparable
     from (
       select bool_or(inputs is distinct from inputs_now) as is_stale from (
         select s.inputs, trust.inputs(game_id, seen_at) as inputs_now
         from (select game_id, max(seen_at) as seen_at from nights group by game_id) n full join trust.spans s using (game_id, seen_at)
       )
     ), (select max(readings) as readings from (select count(*) as readings from readings group by game_id))`
  )
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
