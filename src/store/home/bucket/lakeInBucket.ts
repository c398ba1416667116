import { homeFormat } from "../HomeMarker.ts"
import { Effect, Schema } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { documentGone, isGone, readDocument, storeDocument, swapDocument } from "./bucketDocuments.ts"
import { lakeKey } from "./bucketKeys.ts"
import { LakeDocument, MonthOfRuns, type Ref, type StoredFile } from "./documents.ts"
import { readKnownGame } from "./gameInBucket.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"
import { newAttempt } from "./newAttempt.ts"
import { isLaterNight, type NightId } from "./nights/nightId.ts"
import { monthOfRun } from "./placeOf.ts"

/** Reads the lake's document; null if nothing was ever published. Fails if it is missing. */
export const readLake = Effect.fnUntraced(function* (store: BucketStore) {
  const read = Effect.map(readDocument(store, lakeKey, LakeDocument), (found) => found?.document ?? null)
  const lake = yield* read
  if (lake !== null) return lake
  // A list of runs is stored only after the document exists.
  const hasRuns = (yield* store.list("shared/runs/")).some(({ path }) => /\/runs\.\w+\.json$/.test(path))
  return hasRuns ? ((yield* read) ?? (yield* documentGone(store, lakeKey))) : null
})

const Verdict = Schema.fromJsonString(Schema.Struct({ verdict: Schema.String }))

/** Returns a run's last report without failure, else its last, because a runner may wrongly report another's crash. */
const reportOf = Effect.fnUntraced(function* (store: BucketStore, run: string, files: ReadonlyArray<StoredFile>) {
  const hasEnded = (file: StoredFile) =>
    store
      .fetchText(
        keyOfKnown({ gameId: null, folder: "", name: `runs/${run}.json`, ...storedParts({ attempt: "" }, file) }),
        file[0]
      )
      .pipe(
        Effect.flatMap(Schema.decodeEffect(Verdict)),
        Effect.map(({ verdict }) => verdict !== "failed"),
        Effect.orElseSucceed(() => false)
      )
  const told = files.length === 1 ? files : yield* Effect.filter(files, hasEnded)
  return told.at(-1) ?? files.at(-1)
})

/** Returns the last version of each file that belongs to no game: reports by month of their run, and the rest. */
export const sharedFiles = Effect.fnUntraced(function* (store: BucketStore, leaving: ReadonlySet<string> = new Set()) {
  const files: Record<string, StoredFile> = {}
  const told = new Map<string, Array<StoredFile>>()
  const oldestFirst = (yield* store.list("shared/")).toSorted((a, b) => a.writtenMillis - b.writtenMillis)
  for (const { path, sizeBytes } of oldestFirst.filter((found) => !leaving.has(found.path))) {
    const [, kind = "", by = "", stem = "", sha256 = "", extensions = ""] =
      /^shared\/(runs|files|backfill)\/attempt-([^/]+)\/([^/]+)\.([0-9a-f]{64})(\..+)$/.exec(path) ?? []
    const file: StoredFile = [sha256, sizeBytes, by]
    if (kind === "runs" && stem !== "runs") told.set(stem, [...(told.get(stem) ?? []), file])
    if (kind === "files") files[`${stem}${extensions}`] = file
    if (kind === "backfill") files[`backfill/${stem}${extensions}`] = file
  }
  const reports = new Map<string, Record<string, StoredFile>>()
  for (const [run, of] of told) {
    const report = yield* reportOf(store, run, of)
    if (report !== undefined) reports.set(monthOfRun(run), { ...reports.get(monthOfRun(run)), [run]: report })
  }
  return { files, reports }
})

export const storeRuns = (store: BucketStore, attempt: string, runs: Record<string, StoredFile>) =>
  storeDocument(store, { gameId: null, kind: "runs", attempt, schema: MonthOfRuns, value: { attempt, runs } })

/** Rebuilds the lake's document from each game's newest state and the last version of each shared file. */
const lakeOfGames = Effect.fnUntraced(function* (store: BucketStore, attempt: string) {
  const games: Record<string, LakeDocument["games"][string]> = {}
  let closed: NightId | null = null
  for (const gameId of yield* store.folders("games")) {
    const { number = 0, part, state = null } = (yield* readKnownGame(store, gameId, undefined)) ?? {}
    if (state !== null) games[gameId] = { state, number }
    if (part !== undefined && (closed === null || isLaterNight(part.night, closed))) closed = part.night
  }
  const { files, reports } = yield* sharedFiles(store)
  const runs: Record<string, Ref> = {}
  for (const [month, of] of reports) runs[month] = yield* storeRuns(store, attempt, of)
  return {
    format: homeFormat,
    games,
    runs,
    files: { attempt, files },
    leaving: [],
    prunes: 0,
    // Of nights in parts, the newest one with a reading counts as closed.
    ...(closed === null ? {} : { nights: { planned: null, closed } }),
    writers: []
  } satisfies LakeDocument
})

/** Reads the lake's document, or rebuilds it from the games' documents if missing; null if nothing was published. */
export const mendLake = Effect.fn("mendLake")(function* (store: BucketStore) {
  const attempt = yield* newAttempt
  const warning = Effect.logWarning(`${store.urlOf(lakeKey)} was missing. It is rebuilt from the games' documents`)
  return yield* Effect.catchIf(readLake(store), isGone, () =>
    swapDocument(store, lakeKey, LakeDocument, (there) =>
      there === null ? Effect.tap(lakeOfGames(store, attempt), warning) : Effect.succeed(null)
    )
  )
})
