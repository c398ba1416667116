import { Effect } from "effect"
import { openDiff, summary } from "../../store/diff/diffSnapshots.ts"
import { asLine, readReleaseNotes, type Difference, type NoteBounds } from "../../desk/notes/readReleaseNotes.ts"
import { readCurrent } from "../../store/home/Home.ts"
import { heldSnapshots } from "../../store/home/HeldBack.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import type { SnapshotFolder } from "../../store/home/Manifest.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { snapshotsOfGame } from "../../store/lake/publish/openLake.ts"
import { writeSpreadsheet } from "../../store/lake/duckdb/writeSpreadsheet.ts"
import { printFile } from "./printFile.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** The home has no such snapshot or deployment. `wanted` describes it: `snapshot or deployment 2`. */
export const snapshotUnknown = (gameId: string, wanted: string) =>
  new Fault("SnapshotUnknown", `The home has no ${wanted} of ${gameId}. See what it has with: cardlake snapshots`)

/** Two snapshots of a game, each by its own or its deployment's id; null = the published one, and its predecessor. */
interface WantedPair {
  readonly gameId: string
  readonly from: string | null
  readonly to: string | null
}

/** Max rows of the lists. The tables `changes` and `reconciliations` have all rows. */
const rowsShown = 20

const defaultBounds: NoteBounds = { shown: rowsShown, minMove: 20, minPrice: 1 }

/** Compares two snapshots, and returns the first rows. Default: the published snapshot and its predecessor. */
export const runDiff = Effect.fnUntraced(function* (wanted: WantedPair, bounds: NoteBounds = defaultBounds) {
  const { earlier, later } = yield* chooseSnapshots(wanted)
  const session = yield* openDiff(earlier, later)
  const counts = yield* summary(session, earlier, later)
  const notes = yield* readReleaseNotes(session, bounds)
  const held = (yield* heldSnapshots(wanted.gameId)).find(({ folder }) => folder === later.folder)
  return {
    ...counts,
    ...(held === undefined ? {} : { held: held.reasons }),
    dialect: later.manifest.dialect ?? "spec",
    fromDeployedAt: earlier.manifest.deployedAt,
    toDeployedAt: later.manifest.deployedAt,
    ...(yield* firstRows(session)),
    ...notes
  } satisfies Difference
}, Effect.scoped)

const rowFormats = { csv: "(format csv, header)", ndjson: "(format json)" }

/** Prints all changes between two snapshots, as rows of table `changes`. */
export const printChanges = Effect.fnUntraced(function* (
  wanted: WantedPair,
  format: keyof typeof rowFormats | "spreadsheet"
) {
  const { earlier, later } = yield* chooseSnapshots(wanted)
  const session = yield* openDiff(earlier, later)
  const changes = "from changes order by entity, id, field nulls first"
  yield* printFile((file) =>
    format === "spreadsheet"
      ? writeSpreadsheet(session, changes, file)
      : session.run("Write the changes", `copy (${changes}) to ${sqlText(file)} ${rowFormats[format]}`)
  )
}, Effect.scoped)

const chooseSnapshots = Effect.fnUntraced(function* ({ from, gameId, to }: WantedPair) {
  const current = yield* readCurrent
  const known = yield* snapshotsOfGame(gameId, current)
  const counts = publishedChain(current, gameId)
  // Finds a snapshot by id, else the newest one of that deployment, preferably a published one.
  const find = (wanted: string) => {
    const deployed = known.filter(({ manifest }) => manifest.deploymentId === wanted)
    return pick(
      gameId,
      `snapshot or deployment ${wanted}`,
      known.find(({ manifest }) => manifest.snapshot === wanted) ??
        deployed.findLast(({ manifest }) => counts.includes(manifest.snapshot)) ??
        deployed.at(-1)
    )
  }
  const orElse = (wanted: string | null | undefined, what: string) =>
    wanted == null ? pick(gameId, what, undefined) : find(wanted)
  const later = yield* orElse(to ?? current.games[gameId]?.snapshot, "published snapshot")
  const follows = publishedChain(current, gameId, later.manifest.snapshot).at(-2)
  const earlier = yield* orElse(from ?? follows ?? later.manifest.previous, "earlier snapshot")
  return { earlier, later }
})

const pick = (gameId: string, wanted: string, snapshot: SnapshotFolder | undefined) =>
  snapshot === undefined ? Effect.fail(snapshotUnknown(gameId, wanted)) : Effect.succeed(snapshot)

/** Returns the first catalogue changes, the largest moves of market value, and the first unexplained items. */
const firstRows = Effect.fnUntraced(function* (session: Session) {
  yield* session.set({ rows_shown: rowsShown })
  const list = (step: string, name: string) =>
    Effect.map(session.rows(step, ownText(new URL(`./${name}.sql`, import.meta.url))), (rows) => rows.map(asLine))
  return {
    catalogue: yield* list("List the changes", "firstChanges"),
    prices: yield* list("List the price moves", "firstMoves"),
    unexplained: yield* list("List what the changelog does not explain", "firstUnexplained")
  }
})
