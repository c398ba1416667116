import { lookAt } from "../../../feed/disk/Disk.ts"
import { Effect, Option, Schema } from "effect"
import { Part } from "../../home/Manifest.ts"
import { type LakeError, lakeStep } from "../../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { openLake } from "./openLake.ts"
import { hash } from "node:crypto"
import { join } from "node:path"
import { namesIn, verifyFile } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { publishedChain } from "../history/nights.ts"
import { changesFiles } from "../snapshot/snapshotRows.ts"

/** The state of the home at publication, as views in schema `files`, to check against later damage. */
export interface LakeRecords {
  /** Every month's `part.json`. */
  readonly parts: ReadonlyArray<Part>
  /** File identities of each night's changes; unchanged ones need no second verification. */
  readonly changesSeen: ReadonlyMap<string, string>
}

const decodePart = Schema.decodeUnknownOption(Schema.fromJsonString(Part))
const encodePart = Schema.encodeEffect(Schema.fromJsonString(Part))

const readRecords = (session: Session, view: string) =>
  Effect.map(session.rows(`Read ${view}`, `select name, said from files.${view}`), (rows) =>
    rows.map(({ name, said: text }) => [String(name), String(text)] as const)
  )

/** Returns the records of an open lake; null if an earlier release built it. */
export const recordsIn = (session: Session): Effect.Effect<LakeRecords | null> =>
  Effect.gen(function* () {
    const parts = (yield* readRecords(session, "parts")).map(([, text]) => decodePart(text))
    return { parts: parts.flatMap(Option.toArray), changesSeen: new Map(yield* readRecords(session, "changes_seen")) }
  }).pipe(Effect.orElseSucceed(() => null))

/** Returns the records of `lake.duckdb`; null if it cannot be read. */
export const lakeRecords = Effect.flatMap(openLake, recordsIn).pipe(
  Effect.scoped,
  Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(null))
)

/** Writes the records into the next lake. */
export const keepRecords = Effect.fnUntraced(function* (
  session: Session,
  { changesSeen, parts }: LakeRecords
): Effect.fn.Return<void, LakeError> {
  const written = yield* Effect.forEach(parts, (part) =>
    Effect.map(Effect.orDie(encodePart(part)), (text) => [`${part.gameId}/${part.month}`, text] as const)
  )
  for (const [view, rows] of [["parts", written] as const, ["changes_seen", [...changesSeen]] as const]) {
    const values = rows.map((row) => `(${row.map((text) => sqlText(text)).join(", ")})`)
    const from =
      values.length === 0
        ? "(values (null, null)) t(name, said) where false"
        : `(values ${values.join(", ")}) t(name, said)`
    yield* session.run(`Keep ${view}`, `create or replace view files.${view} as from ${from}`)
  }
})

/**
 * Verifies the checksums of all nights' changes, except for files unchanged since their last verification. Returns the
 * identities of all. Fails with `FileDamaged`.
 */
export const verifyChanges = Effect.fn("verifyChanges")(function* (
  current: Current,
  seen: ReadonlyMap<string, string>
) {
  const home = yield* Home
  const nights = Object.entries(current.games).flatMap(([gameId, { published }]) =>
    publishedChain(current, gameId)
      .filter((snapshot) => published.includes(snapshot))
      .map((snapshot) => ({ gameId, snapshot }))
  )
  const looks = yield* Effect.forEach(
    nights,
    Effect.fnUntraced(function* ({ gameId, snapshot }) {
      const name = `${gameId}/${snapshot}`
      const look = yield* identifyFolder(home.changes(gameId, snapshot))
      if (seen.get(name) !== look) yield* Effect.forEach(yield* changesFiles(gameId, snapshot), verifyFile)
      return [name, look] as const
    }),
    { concurrency: 8 }
  )
  return new Map(looks)
})

/** Returns the identity of a folder's files; any write changes it. */
const identifyFolder = (folder: string) =>
  Effect.flatMap(namesIn(folder), (names) =>
    lakeStep(`Check ${folder}`, async (disk) => {
      const looks = names.map((name) => {
        const { changedNanos, inode, modifiedNanos, sizeBytes } = lookAt(disk, join(folder, name), "links")
        return [name, inode, sizeBytes, modifiedNanos, changedNanos].join(" ")
      })
      return hash("sha256", looks.join("\n")).slice(0, 16)
    })
  )
