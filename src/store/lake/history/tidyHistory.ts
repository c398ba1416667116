import { join, relative, dirname } from "node:path"
import { Effect, Result, Schema } from "effect"
import { type RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { type Current, Home, lastCommittedRun, wasPublished } from "../../home/Home.ts"
import { allBackfillParts, backfillPartFiles, listBackfillParts } from "../../home/backfill/backfillLedger.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import {
  listPartFolders,
  listParts,
  readPart,
  type PartFolder,
  readSnapshot,
  readUnpublished,
  type Manifest
} from "../../home/Manifest.ts"
import { priceTables } from "../../../feed/schema/partTables.ts"
import { removeFolder } from "../../home/setAside.ts"
import { partFiles, snapshotFiles } from "../snapshot/snapshotRows.ts"
import { verifyKept, isThere, FileDamaged, replaceSummed, verifyFile, makeFolder, namesIn } from "../../home/disk.ts"
import { Disk } from "../../../feed/disk/Disk.ts"
import { DialectName } from "../../../feed/contract/dialect/DialectName.ts"
import { readJson, writeJson } from "../../home/jsonFile.ts"
import { Via } from "../../../feed/contract/Via.ts"
import { publishedChain } from "./nights.ts"

/** Retention rules: any of them retains a snapshot. */
export interface RetentionRules {
  /** Retains snapshots read within this many days. */
  readonly days: number | null
  /** Retains this many of the newest counting nights, and those rolled back since. */
  readonly last: number | null
  /** Retains the first counting night of each month (UTC). */
  readonly monthly: boolean
}

const dayMillis = 24 * 3600 * 1000

/** Returns snapshots that no rule removes: published, target of a rollback, or held since then. */
export const pointedTo = (
  current: Current,
  gameId: string,
  manifests: ReadonlyArray<Manifest>
): ReadonlySet<SnapshotId> => {
  const { published = [], snapshot: live } = current.games[gameId] ?? {}
  const present = manifests.find((one) => one.snapshot === live)
  const before = live === undefined ? undefined : published[published.indexOf(live) - 1]
  const waiting = manifests.filter((one) => one.snapshot > (live ?? "") && !wasPublished(current, gameId, one.snapshot))
  const follows = publishedChain(current, gameId, live).at(-2)
  const nights = [live, follows, present?.previous, before].filter((id) => id !== null && id !== undefined)
  // A night in another way of reading is compared with the last one of its kind that counted with these.
  const lastByVias = nights.flatMap((night) => {
    const counted = publishedChain(current, gameId, night)
    const known = manifests.filter((one) => counted.includes(one.snapshot))
    return Via.literals.flatMap((via) => known.findLast((one) => (one.via ?? "pages") === via)?.snapshot ?? [])
  })
  return new Set([...nights, ...lastByVias, ...waiting.map((one) => one.snapshot)])
}

/** Returns a game's retained snapshots. `recent` excludes those retained only as a month's first. */
export const retained = (
  rules: RetentionRules,
  {
    current,
    gameId,
    manifests,
    nowMillis
  }: {
    readonly current: Current
    readonly gameId: string
    readonly manifests: ReadonlyArray<Manifest>
    readonly nowMillis: number
  }
): { readonly all: ReadonlySet<SnapshotId>; readonly recent: ReadonlySet<SnapshotId> } => {
  const ids = new Set(current.games[gameId]?.published)
  const published = manifests.filter((one) => ids.has(one.snapshot))
  const { days, last, monthly } = rules
  const since = days === null ? Number.POSITIVE_INFINITY : nowMillis - days * dayMillis
  const young = manifests.filter((one) => Date.parse(one.extractedAt) >= since)
  const chain = publishedChain(current, gameId, current.games[gameId]?.snapshot)
  const counted = published.filter((one) => chain.includes(one.snapshot))
  const oldest = last === null || last === 0 ? undefined : (counted.at(-last) ?? counted[0])
  const newest = oldest === undefined ? [] : published.filter((one) => one.snapshot >= oldest.snapshot)
  const months = new Map(counted.toReversed().map((one) => [one.extractedAt.slice(0, 7), one]))
  const recent = new Set([
    ...pointedTo(current, gameId, manifests),
    ...[...young, ...newest].map((one) => one.snapshot)
  ])
  const firsts = monthly ? [...months.values()].map((one) => one.snapshot) : []
  return { recent, all: new Set([...recent, ...firsts]) }
}

/** Returns reports that are older than every recent snapshot and whose runs have no retained snapshot. */
export const reportsToRemove = (
  current: Current,
  runs: ReadonlyArray<RunId>,
  games: ReadonlyArray<ReturnType<typeof retained>>
): ReadonlyArray<RunId> => {
  const kept = new Set<RunId>(games.flatMap((game) => [...game.all]))
  const oldest = games
    .flatMap((game) => [...game.recent])
    .reduce<string>((least, id) => (id < least ? id : least), lastCommittedRun(current))
  return runs.filter((run) => run < oldest && !kept.has(run))
}

/**
 * Deletes what parts replace, once the lake reads them: earlier parts, and price files of snapshots that are neither
 * published, rollback targets nor held. If a used part is damaged, keeps everything. Reads no other part, so the cost
 * is independent of the number of months. Returns the deleted paths.
 */
export const tidyHistory = Effect.fn("tidyHistory")(function* (run: RunId, current: Current) {
  const home = yield* Home
  const removed: Array<string> = []
  for (const gameId of Object.keys(current.games)) {
    const replaced = yield* Effect.orElseSucceed(replacedParts(gameId), () => [])
    yield* Effect.forEach(replaced, (folder) => removeFolder(run, folder), { discard: true })
    removed.push(...replaced.map((folder) => relative(home.root, folder)))
  }
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const read = yield* Effect.result(listParts(gameId))
    if (Result.isFailure(read)) {
      yield* Effect.logWarning(`Compacted files of ${gameId} were not removed. ${read.failure.message}`)
      continue
    }
    const present = read.success
    const earlier = yield* earlierParts(gameId, present)
    const doubled = present.flatMap((by) =>
      by.part.nights.flatMap(({ snapshot }) =>
        priceTables
          .map(({ name }) => ({ by, snapshot, path: join(home.snapshot(gameId, snapshot), `${name}.parquet`) }))
          .filter(({ path }) => isThere(path))
      )
    )
    const live = home.snapshot(gameId, snapshot)
    const known = doubled.length === 0 ? [] : [yield* readSnapshot(live), ...(yield* readUnpublished(current, gameId))]
    const manifests = known.map(({ manifest }) => manifest)
    const needed = pointedTo(current, gameId, manifests)
    const originals = doubled.filter(({ snapshot }) => !needed.has(snapshot))
    const relied = new Set([...originals, ...earlier].map(({ by }) => by))
    const verified = yield* Effect.result(
      Effect.forEach([...relied].flatMap(partFiles), verifyKept, { concurrency: 4, discard: true })
    )
    if (Result.isFailure(verified)) {
      yield* Effect.logWarning(`The files that it replaces were not removed. ${verified.failure.message}`)
      continue
    }
    yield* lakeStep(`Remove what the months of ${gameId} stand for`, (disk) =>
      Promise.all(originals.map(({ path }) => disk.removeFile(path)))
    )
    yield* Effect.forEach(earlier, ({ path }) => removeFolder(run, path), { discard: true })
    removed.push(...[...originals, ...earlier].map(({ path }) => relative(home.root, path)))
  }
  return removed
})

/** Returns backfill parts whose rows a later intact part has. */
const replacedParts = Effect.fnUntraced(function* (gameId: string) {
  const present = yield* listBackfillParts(gameId)
  const known = new Set<string>(present.map(({ folder }) => folder))
  const earlier = (yield* allBackfillParts(gameId)).filter(({ folder }) => !known.has(folder))
  if (earlier.length === 0) return []
  yield* Effect.forEach(present.flatMap(backfillPartFiles), verifyKept, { concurrency: 4, discard: true })
  return earlier.map(({ folder }) => folder)
})

/** Returns complete parts that a later one replaces. Excludes any with a night that the later one lacks. */
const earlierParts = Effect.fnUntraced(function* (gameId: string, present: ReadonlyArray<PartFolder>) {
  const others = (yield* listPartFolders(gameId)).filter(
    (one) => one.isWhole && !present.some(({ folder }) => folder === one.folder)
  )
  const replaced = yield* Effect.forEach(others, (one) =>
    Effect.match(readPart(gameId)(one), {
      onSuccess: ({ part }) => {
        const by = present.find((later) => later.part.month === part.month)
        const nights = new Set(by?.part.nights.map((night) => night.snapshot))
        const isReplaced = part.nights.every(({ snapshot }) => nights.has(snapshot))
        return by !== undefined && isReplaced ? [{ path: one.folder, by }] : []
      },
      onFailure: () => []
    })
  )
  return replaced.flat()
})

/** A night without news since an earlier snapshot. */
export const Confirmation = Schema.Struct({
  gameId: Schema.String,
  snapshot: SnapshotId,
  /** Start of the run. */
  seenAt: Schema.String,
  /** Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName)
})
export type Confirmation = typeof Confirmation.Type

const Kept = Schema.Struct({ nights: Schema.Array(Confirmation) })

/** Returns a game's stored nights without news; empty if there is no file. */
export const readConfirmations = Effect.fnUntraced(function* (gameId: string) {
  const file = (yield* Home).confirmations(gameId)
  if ((yield* Disk).look(file, "links") === null) return []
  const { nights } = yield* readJson(file, Kept)
  const other = nights.find((night) => night.gameId !== gameId)
  return other === undefined ? nights : yield* new FileDamaged({ file, what: `it belongs to ${other.gameId}` })
})

/** Stores a game's nights without news in its history before their run reports are deleted. Idempotent. */
export const storeConfirmations = Effect.fn("storeConfirmations")(function* (
  gameId: string,
  confirmations: ReadonlyArray<Confirmation>
) {
  const file = (yield* Home).confirmations(gameId)
  const before = yield* readConfirmations(gameId)
  const all = new Map([...before, ...confirmations].map((one) => [`${one.snapshot} ${one.seenAt}`, one]))
  if (all.size > before.length) yield* writeJson(file, Kept, { nights: [...all.values()] })
})

/** Returns the drift files of a game's pruned nights, including those of which only the checksum exists. */
export const keptDrift = Effect.fnUntraced(function* (gameId: string) {
  const folder = dirname((yield* Home).drift(gameId, SnapshotId.make("any")))
  const files = (yield* namesIn(folder)).map((name) => name.replace(/\.sha256$/, ""))
  return [...new Set(files)].filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name))
})

/** Stores the unknown keys of nights to be deleted, their only copy. Warns about a damaged one. Idempotent. */
export const storeDrift = Effect.fn("storeDrift")(function* (
  run: RunId,
  gameId: string,
  snapshots: ReadonlyArray<SnapshotId>
) {
  const home = yield* Home
  const store = Effect.fnUntraced(function* (snapshot: SnapshotId) {
    const folder = home.snapshot(gameId, snapshot)
    const own = (yield* snapshotFiles(yield* readSnapshot(folder))).find(
      ({ file }) => file === join(folder, "drift.parquet")
    )
    if (own === undefined || !isThere(own.file)) return
    yield* verifyFile(own)
    const work = home.work(run)
    yield* makeFolder(work)
    yield* makeFolder(dirname(home.drift(gameId, snapshot)))
    const copy = join(work, "drift.parquet")
    yield* lakeStep(`Copy ${own.file}`, (disk) => disk.copy(own.file, copy))
    yield* replaceSummed(copy, home.drift(gameId, snapshot))
  })
  yield* Effect.forEach(
    snapshots,
    (snapshot) => Effect.catchTag(store(snapshot), "FileDamaged", ({ message }) => Effect.logWarning(message)),
    { discard: true }
  )
})
