import { Effect } from "effect"
import { ownText } from "../../../feed/disk/ownText.ts"
import type { Session } from "../duckdb/Lake.ts"

const text = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))
const [tables, steps, publication] = [text("tables"), text("steps"), text("publication")]

/** All SQL of the verdicts, which identifies the program that built a lake. */
export const trustSql: ReadonlyArray<string> = [tables, steps, publication]

export const trustTables = ["changes", "jumps", "spans"] as const

/** Creates schema `trust`, which macro `price_trust` reads; `made` replaces its empty tables. Requires the views of the history. */
export const makeTrust = (session: Session, made = tables) =>
  session.run("Make a schema for the trust in prices", `${made};\n${steps}`)

/** True if a night, or a correction of earlier ones, is not yet in schema `trust`. */
export const trustIsStale = Effect.fnUntraced(function* (session: Session) {
  // Compared in `where`, the checksums of equal inputs differ: DuckDB evaluates the macro before it joins.
  const [found] = yield* session.rows(
    "Find whose prices have older verdicts",
    `select bool_or(inputs is distinct from inputs_now) as is_stale from (
       select s.inputs, trust.inputs(game_id, seen_at) as inputs_now
       from (select game_id, max(seen_at) as seen_at from nights group by game_id) n full join trust.spans s using (game_id, seen_at)
     )`
  )
  return found?.["is_stale"] === true
})

/** Updates schema `trust` with what moved in the nights since the last publication. Requires `readings` and `reused_ids`. */
export const publishTrust = Effect.fn("publishTrust")(function* (session: Session) {
  if (!(yield* trustIsStale(session))) return
  // A damaged price of an earlier night must not stop a publication; doctor reports it.
  yield* Effect.catchTag(session.run("Publish the trust in prices", publication), "LakeError", ({ message }) =>
    Effect.andThen(
      Effect.logWarning(`Prices have no verdicts: ${message}`),
      session.run("Leave out the trust in prices", "delete from trust.spans")
    )
  )
})
