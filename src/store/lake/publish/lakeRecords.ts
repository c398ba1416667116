import { Effect, Option, Schema } from "effect"
import { Part } from "../../home/Part.ts"
import type { LakeError } from "../../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { openLake } from "./openLake.ts"

/** What a publication found in the home, for when a file is damaged later; both are views of schema `files`. */
export interface LakeRecords {
  /** Every month's `part.json`. */
  readonly parts: ReadonlyArray<Part>
  /** How the files of each night's changes look on the disk: those that look the same need not be read again. */
  readonly changesSeen: ReadonlyMap<string, string>
}

const decodePart = Schema.decodeUnknownOption(Schema.fromJsonString(Part))
const encodePart = Schema.encodeEffect(Schema.fromJsonString(Part))

const rowsOf = (session: Session, view: string) =>
  Effect.map(session.rows(`Read ${view}`, `select name, said from files.${view}`), (rows) =>
    rows.map(({ name, said }) => [String(name), String(said)] as const)
  )

/** The records of an open lake; null if an earlier release built it. */
export const recordsIn = (session: Session): Effect.Effect<LakeRecords | null> =>
  Effect.gen(function* () {
    const parts = (yield* rowsOf(session, "parts")).map(([, said]) => decodePart(said))
    return { parts: parts.flatMap(Option.toArray), changesSeen: new Map(yield* rowsOf(session, "changes_seen")) }
  }).pipe(Effect.orElseSucceed(() => null))

/** The records of `lake.duckdb`; null if it cannot be read. */
export const lakeRecords = Effect.flatMap(openLake, recordsIn).pipe(
  Effect.scoped,
  Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(null))
)

/** Writes the records into the lake that is being built. */
export const keepRecords = Effect.fnUntraced(function* (
  session: Session,
  { changesSeen, parts }: LakeRecords
): Effect.fn.Return<void, LakeError> {
  const said = yield* Effect.forEach(parts, (part) =>
    Effect.map(Effect.orDie(encodePart(part)), (text) => [`${part.gameId}/${part.month}`, text] as const)
  )
  for (const [view, rows] of [["parts", said] as const, ["changes_seen", [...changesSeen]] as const]) {
    const values = rows.map((row) => `(${row.map((text) => sqlText(text)).join(", ")})`)
    const from =
      values.length === 0
        ? "(values (null, null)) t(name, said) where false"
        : `(values ${values.join(", ")}) t(name, said)`
    yield* session.run(`Keep ${view}`, `create or replace view files.${view} as from ${from}`)
  }
})
