import { basename } from "node:path"
import { Effect } from "effect"
import { assureStored } from "./assureStored.ts"
import { BucketBusy } from "./BucketFailed.ts"
import { documentGone, fetchDocument, storeDocument, swapDocument } from "./bucketDocuments.ts"
import { lakeKey } from "./bucketKeys.ts"
import type { FilesHere } from "./changesHere.ts"
import { type Checkout, emptyLake } from "./checkOut.ts"
import { type GameDocument, LakeDocument, MonthOfRuns, type Ref, type StoredFile } from "./documents.ts"
import { readGame } from "./gameInBucket.ts"
import { isLaterNight, type NightId } from "./nights/nightId.ts"
import { monthOfRun } from "./placeOf.ts"
import { AttemptLeft, isLeaving } from "./swapGame.ts"

/** The newest state of a game, ready to be published. */
export type Ready = Pick<GameDocument, "number" | "report" | "state">

const reportOf = (name: string): string => basename(name, ".json")

/**
 * Publishes the newest states of these games, and the run's report, in one swap. A state older than the published one
 * has no effect.
 */
export const swapLake = Effect.fn("swapLake")(function* (
  { hollow, lake, store }: Pick<Checkout, "lake" | "store"> & { readonly hollow: Pick<Checkout["hollow"], "known"> },
  attempt: string,
  {
    closes = null,
    here,
    ready
  }: {
    readonly here: Pick<FilesHere, "fresh" | "kept">
    readonly ready: ReadonlyMap<string, Ready>
    /** The night in parts that is complete: all its games were read. */
    readonly closes?: NightId | null
  }
) {
  const fresh = here.fresh.filter(({ gameId }) => gameId === null)
  const written = new Map(
    fresh.map(({ name, sha256, sizeBytes }) => [name, [sha256, sizeBytes, attempt] as StoredFile])
  )
  const stays = new Set(here.kept.filter(({ gameId }) => gameId === null).map(({ name }) => name))
  const removed = [...hollow.known.values()]
    .filter(({ gameId, name }) => gameId === null && !stays.has(name) && !written.has(name))
    .map(({ name }) => name)

  const withRuns = Effect.fnUntraced(function* (there: LakeDocument) {
    const months: Record<string, Ref> = { ...there.runs }
    const adds = new Map([...written].filter(([name]) => name.startsWith("runs/")))
    // Reports of a runner that crashed before it could publish.
    for (const { report } of ready.values())
      if (report !== null && !adds.has(`runs/${report.run}.json`)) adds.set(`runs/${report.run}.json`, report.file)
    const goes = removed.filter((name) => name.startsWith("runs/"))
    const names = new Set([...adds.keys(), ...goes].map((name) => monthOfRun(reportOf(name))))
    for (const name of names) {
      const ref = there.runs[name]
      const before =
        ref === undefined ? null : yield* fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
      const runs: Record<string, StoredFile> = {}
      for (const [run, file] of Object.entries(before?.runs ?? {}))
        if (!goes.includes(`runs/${run}.json`)) runs[run] = [file[0], file[1], file[2] ?? before?.attempt ?? ""]
      for (const [path, file] of adds) {
        const run = reportOf(path)
        if (monthOfRun(run) === name && (written.has(path) || runs[run] === undefined)) runs[run] = file
      }
      if (JSON.stringify(runs) === JSON.stringify(before?.runs)) continue
      if (Object.keys(runs).length === 0) delete months[name]
      else
        months[name] = yield* storeDocument(store, {
          gameId: null,
          kind: "runs",
          attempt,
          schema: MonthOfRuns,
          value: { attempt, runs }
        })
    }
    return months
  })

  // The document comes before a list of runs, so a list without the document proves that the document is missing.
  if (lake === emptyLake)
    yield* swapDocument(store, lakeKey, LakeDocument, (found) => Effect.succeed(found === null ? emptyLake : null))
  let changed: ReadonlyArray<string> = []
  yield* swapDocument(store, lakeKey, LakeDocument, (there) =>
    Effect.gen(function* () {
      if (there === null) return yield* documentGone(store, lakeKey)
      if (yield* isLeaving(store, null, there.leaving, attempt)) return yield* new AttemptLeft()
      // Rates are added to the rates that were read before, so two concurrent loads would lose one's.
      const isOvertaken = [...written.keys()].some(
        (name) => name.startsWith("fx_rates.") && there.files.files[name]?.[0] !== lake.files.files[name]?.[0]
      )
      if (isOvertaken) return yield* new BucketBusy({ document: store.urlOf(lakeKey) })
      const games = { ...there.games }
      for (const [gameId, known] of ready) {
        // A prune in the meantime may have collected the state that was read before.
        const { number, state } = there.prunes === lake.prunes ? known : ((yield* readGame(store, gameId)) ?? known)
        if (state !== null && number > (games[gameId]?.number ?? 0)) games[gameId] = { state, number }
      }
      const runs = yield* withRuns(there)
      // Without a list that it names, no later command can begin.
      if (Object.keys(runs).some((month) => runs[month] !== there.runs[month]))
        yield* assureStored(store, attempt, { gameId: null, files: [] })
      const files: Record<string, StoredFile> = {}
      for (const [name, file] of Object.entries(there.files.files))
        if (!removed.includes(name)) files[name] = [file[0], file[1], file[2] ?? there.files.attempt]
      for (const [name, file] of written) if (!name.startsWith("runs/")) files[name] = file
      changed = Object.keys(games).filter((gameId) => games[gameId]?.number !== there.games[gameId]?.number)
      const nights = closedNights(there.nights, closes)
      const next: LakeDocument = {
        ...there,
        ...(nights === undefined ? {} : { nights }),
        games,
        runs,
        files: JSON.stringify(Object.keys(files)) === "[]" ? emptyLake.files : { attempt, files }
      }
      const isSame = (a: LakeDocument, b: LakeDocument) =>
        JSON.stringify([
          a.games,
          a.runs,
          a.nights,
          Object.entries(a.files.files).map(([name, [sum]]) => [name, sum])
        ]) ===
        JSON.stringify([b.games, b.runs, b.nights, Object.entries(b.files.files).map(([name, [sum]]) => [name, sum])])
      return isSame(there, next) ? null : next
    })
  )
  /** Returns the games whose published state changed. */
  return changed
})

const closedNights = (nights: LakeDocument["nights"], closes: NightId | null): LakeDocument["nights"] => {
  if (closes === null) return nights
  const closed = nights?.closed ?? null
  return { planned: nights?.planned ?? null, closed: closed === null || isLaterNight(closes, closed) ? closes : closed }
}
