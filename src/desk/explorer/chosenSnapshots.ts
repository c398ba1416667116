import { Effect } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { listSnapshotIds } from "../../store/home/Manifest.ts"
import { type PageRequest, type BadRequest, badRequest } from "./PageRequest.ts"
import { instant } from "./dataTable.ts"
import { queryNamed } from "./queryNamed.ts"

/** Returns every snapshot of a game in the home, newest first. Unpublished ones are marked. */
export const comparableSnapshots = Effect.fnUntraced(function* (request: PageRequest, gameId: string) {
  const rows = yield* request.lake.rows("List the snapshots", queryNamed("known_snapshots"), { game: gameId })
  const published = new Map(rows.map((row) => [String(row["snapshot"]), row]))
  const held = yield* listSnapshotIds(gameId)
  return held.toReversed().map((snapshot) => {
    const row = published.get(snapshot)
    if (row === undefined) {
      const at = snapshotTime(snapshot)
      const before = rows.map((row) => String(row["snapshot"])).find((one) => one < snapshot) ?? null
      return { snapshot, label: `${at}, not published`, at, isPresent: false, previous: before }
    }
    const isPresent = row["is_current"] === true
    // The reading comes first, because it distinguishes readings of one deployment, and a narrow list cuts labels off.
    const deployed = row["deployed_at"] === null ? "" : `, deployed ${instant(row["deployed_at"])}`
    const label = `read ${instant(row["extracted_at"])}${isPresent ? ", current" : ""}${deployed}`
    const at = instant(row["extracted_at"])
    return { snapshot, label, at, isPresent, previous: row["previous"] === null ? null : String(row["previous"]) }
  })
})

/** A snapshot that can be compared, with a readable label, the instant of its reading, and the one published before it. */
export type Comparable = Effect.Success<ReturnType<typeof comparableSnapshots>>[number]

/** Returns the time at the start of a run id, such as 20260812T124910003Z. */
const snapshotTime = (snapshot: string): string =>
  snapshot.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/, "$1-$2-$3 $4:$5 UTC")

/** Returns the requested pair. `to` defaults to the current snapshot, `from` to the one published before `to`. */
export const chosenPair = (request: PageRequest, known: ReadonlyArray<Comparable>) => {
  const wanted = (name: "from" | "to", fallback: SnapshotId | undefined): Effect.Effect<SnapshotId, BadRequest> => {
    const value = request.query.get(name) ?? ""
    const found = value === "" ? fallback : known.find(({ snapshot }) => snapshot === value)?.snapshot
    return found === undefined
      ? badRequest(name, value, "the id of a stored snapshot. List them with: cardlake snapshots")
      : Effect.succeed(found)
  }
  return Effect.gen(function* () {
    const present = known.find(({ isPresent }) => isPresent) ?? known[0]
    const to = yield* wanted("to", present?.snapshot)
    const index = known.findIndex(({ snapshot }) => snapshot === to)
    const before = known.find(({ snapshot }) => snapshot === known[index]?.previous) ?? known[index + 1] ?? present
    return { from: yield* wanted("from", before?.snapshot), to }
  })
}
