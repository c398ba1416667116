import { join } from "node:path"
import { Effect, Result } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"
import { type Current, Home, type Publication } from "../../home/Home.ts"
import { FileDamaged, isThere } from "../../home/disk.ts"
import { type PartNight, listParts, type PartFolder, readSnapshot } from "../../home/Manifest.ts"
import { firstTables, partTables, priceTables } from "../../../feed/schema/partTables.ts"
import { firstContract } from "../../../feed/schema/tableFile.ts"

/** A reading that is part of a game's history. */
export interface Night extends PartNight {
  readonly gameId: string
  /** Counted from 1. */
  readonly place: number
  /** `extractedAt`, or just before the next night if that is earlier, so that nights are in order. */
  readonly seenAt: string
  /** Contract version of its own files. */
  readonly contractVersion: number
  /** UTC, e.g. 2026-05: the month of the part with its prices, else of `seenAt`. */
  readonly month: string
  /** Returns the path of a file of the snapshot or its changes, e.g. `source_prices.parquet`; null if it is missing. */
  readonly file: (name: string) => string | null
  /** The part with its prices; null if they are in its own files. */
  readonly pricesIn: PartFolder | null
  /** The part with its versions; null if none has them as they follow each other now. */
  readonly versionsIn: PartFolder | null
}

/**
 * Returns a game's chain of published snapshots, oldest first. Publishing an earlier one (a rollback, a late release)
 * removes later readings. `upTo`: the chain at that snapshot's last publication, or if it were published now.
 */
export const publishedChain = (current: Current, gameId: string, upTo?: SnapshotId): ReadonlyArray<SnapshotId> => {
  const all = current.history.filter((step) => step.gameId === gameId).map((step) => step.snapshot)
  const last = upTo ?? all.at(-1)
  if (last === undefined) return []
  const place = all.lastIndexOf(last)
  // Snapshot ids sort by time.
  return [...(place === -1 ? all : all.slice(0, place)), last].reduce<ReadonlyArray<SnapshotId>>(
    (chain, snapshot) => [...chain.filter((earlier) => earlier < snapshot), snapshot],
    []
  )
}

/** Publications of a snapshot that may follow another one than before. */
const againKinds: ReadonlySet<Publication["kind"]> = new Set(["release", "rollback", "replay"])

/** Tables of a night's changes that the history reads if no part has them. */
const versionTables = partTables.flatMap(({ entity, name }) => (entity === null ? [] : [name]))

/** Returns a game's nights, oldest first. `known` replaces its parts if one cannot be read. */
export const listNights = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  known?: ReadonlyArray<PartFolder>
) {
  const home = yield* Home
  const parts = known ?? (yield* listParts(gameId))
  const inParts = new Map(
    parts.flatMap((folder) => folder.part.nights.map((night) => [night.snapshot, { folder, night }] as const))
  )
  const published = new Set(current.games[gameId]?.published)
  const againBy = new Map(
    current.history.flatMap((step) =>
      step.gameId === gameId && againKinds.has(step.kind) ? [[step.snapshot, step.run] as const] : []
    )
  )
  const chain = publishedChain(current, gameId).filter((snapshot) => inParts.has(snapshot) || published.has(snapshot))
  const nights = yield* Effect.forEach(
    chain,
    Effect.fnUntraced(function* (snapshot, index) {
      const found = inParts.get(snapshot)
      const own = home.snapshot(gameId, snapshot)
      const facts =
        found === undefined ? yield* readFacts(gameId, snapshot) : { ...found.night, contractVersion: firstContract }
      const follows = chain[index - 1] ?? null
      const file = (name: string) =>
        [join(own, name), join(home.changes(gameId, snapshot), name)].find((path) => isThere(path)) ?? null
      const damaged = priceTables.find(({ name }) => file(`${name}.parquet`) === null)
      if (found === undefined && damaged !== undefined) {
        const what = "it is missing, and no month of the history has its rows"
        return yield* new FileDamaged({ file: join(own, `${damaged.name}.parquet`), what })
      }
      const isAsInPart = found?.night.follows === follows && found.folder.part.part >= (againBy.get(snapshot) ?? "")
      const versionsIn = isAsInPart ? found.folder : null
      const versions = versionsIn !== null ? [] : follows === null ? firstTables : versionTables
      const unversioned = versions.find((name) => file(`${name}.parquet`) === null)
      const changed = follows === null ? own : home.changes(gameId, snapshot)
      if (unversioned !== undefined)
        return yield* new FileDamaged({ file: join(changed, `${unversioned}.parquet`), what: "it is missing" })
      return {
        ...facts,
        gameId,
        snapshot,
        place: index + 1,
        follows,
        dialect: facts.dialect ?? "spec",
        file,
        pricesIn: found?.folder ?? null,
        versionsIn
      } satisfies Omit<Night, "seenAt" | "month">
    }),
    { concurrency: 8 }
  )
  return inMonths(nights)
})

const inMonths = (nights: ReadonlyArray<Omit<Night, "seenAt" | "month">>): ReadonlyArray<Night> => {
  const times = timesInOrder(nights.map((night) => night.extractedAt))
  return nights.map((night, index): Night => {
    const seenAt = times[index] ?? night.extractedAt
    return Object.assign(night, { seenAt, month: night.pricesIn?.part.month ?? seenAt.slice(0, 7) })
  })
}

/** Returns the facts of a night in no part: from its manifest, else from its reading, but without checksums. */
const readFacts = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
  const home = yield* Home
  const known = yield* Effect.result(readSnapshot(home.snapshot(gameId, snapshot)))
  if (Result.isSuccess(known)) return known.success.manifest
  const reading = yield* Effect.result(readExtraction(home.raw(gameId, snapshot)))
  if (Result.isFailure(reading) || reading.success.gameId !== gameId || reading.success.runId !== snapshot) {
    return yield* Effect.fail(known.failure)
  }
  const { completedAt, deployedAt, deploymentId, dialect = "spec" } = reading.success
  return { deployedAt, deploymentId, dialect, extractedAt: completedAt, tables: {}, contractVersion: firstContract }
})

/** Returns ordered times: each night is at least a millisecond before the next, whatever the clock was. */
const timesInOrder = (readAt: ReadonlyArray<string>): ReadonlyArray<string> => {
  let next = Number.POSITIVE_INFINITY
  return readAt
    .toReversed()
    .map((at) => {
      const isInOrder = Date.parse(at) < next
      next = isInOrder ? Date.parse(at) : next - 1
      return isInOrder ? at : new Date(next).toISOString()
    })
    .toReversed()
}

/** Returns the files with the versions of these nights: those of their months, or their own. */
export const versionFiles = (nights: ReadonlyArray<Night>): ReadonlyArray<string> => [
  ...new Set(
    nights.flatMap(({ file, follows, versionsIn }) =>
      versionsIn !== null
        ? versionTables.map((table) => join(versionsIn.folder, `${table}.parquet`))
        : (follows === null ? firstTables : versionTables).flatMap((table) => file(`${table}.parquet`) ?? [])
    )
  )
]
