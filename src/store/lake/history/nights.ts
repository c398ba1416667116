import { join } from "node:path"
import { Effect, Result } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"
import { type Current, Home } from "../../home/Home.ts"
import { FileDamaged } from "../../home/verifyFile.ts"
import { type PartNight, partsOf, type PartFolder } from "../../home/parts.ts"
import { firstTables, partTables, priceTables } from "../../../feed/schema/partTables.ts"
import { firstContract } from "../../../feed/schema/tableFile.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { isThere } from "../../home/disk.ts"

/** A reading that is part of a game's history. */
export interface Night extends PartNight {
  readonly gameId: string
  /** From 1. */
  readonly place: number
  /**
   * When it was read, in the order of the nights: `extractedAt`,
   * or just before the night that followed, if that is earlier.
   */
  readonly seenAt: string
  /** Of its own files. */
  readonly contractVersion: number
  /** UTC, such as 2026-05: that of the part with its prices, else of `seenAt`. */
  readonly month: string
  /** A file of the snapshot or of its changes by its name, `source_prices.parquet`; null if it is no longer there. */
  readonly file: (name: string) => string | null
  /** Where its prices are read; null = from its own files. */
  readonly pricesIn: PartFolder | null
  /**
   * Where its versions are read; null = from its own files: it is in no part, followed a different night
   * when its part was written, or was published again since, perhaps after other nights.
   */
  readonly versionsIn: PartFolder | null
}

/**
 * A game's snapshots that followed each other, oldest first: every publication follows the one before.
 * Publishing an earlier snapshot (a rollback, a late release) takes back what was read after it.
 * `upTo`: as they were when that one was last published, or would be if it were published now.
 */
export const publishedChain = (current: Current, gameId: string, upTo?: SnapshotId): ReadonlyArray<SnapshotId> => {
  const all = current.history.filter((step) => step.gameId === gameId).map((step) => step.snapshot)
  const last = upTo ?? all.at(-1)
  if (last === undefined) return []
  const place = all.lastIndexOf(last)
  // Ids of snapshots sort by time.
  return [...(place === -1 ? all : all.slice(0, place)), last].reduce<ReadonlyArray<SnapshotId>>(
    (chain, snapshot) => [...chain.filter((earlier) => earlier < snapshot), snapshot],
    []
  )
}

/** What the history reads of a later night that is in no part: its changes. */
const versionTables = partTables.flatMap(({ entity, name }) => (entity === null ? [] : [name]))

/**
 * The readings of a game's history that are still in the home, in their own folders or in
 * parts, oldest first. `known` are its parts if one of them cannot be read.
 */
export const nightsOf = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  known?: ReadonlyArray<PartFolder>
) {
  const home = yield* Home
  const parts = known ?? (yield* partsOf(gameId))
  const inParts = new Map(
    parts.flatMap((folder) => folder.part.nights.map((night) => [night.snapshot, { folder, night }] as const))
  )
  const published = new Set(current.games[gameId]?.published)
  const againBy = new Map(
    current.history.flatMap((step) =>
      step.gameId === gameId && step.kind !== "nightly" ? [[step.snapshot, step.run] as const] : []
    )
  )
  const chain = publishedChain(current, gameId).filter((snapshot) => inParts.has(snapshot) || published.has(snapshot))
  const nights = yield* Effect.forEach(
    chain,
    Effect.fnUntraced(function* (snapshot, index) {
      const found = inParts.get(snapshot)
      const own = home.snapshot(gameId, snapshot)
      const facts =
        found === undefined ? yield* factsOf(gameId, snapshot) : { ...found.night, contractVersion: firstContract }
      const follows = chain[index - 1] ?? null
      const file = (name: string) =>
        [join(own, name), join(home.changes(gameId, snapshot), name)].find((path) => isThere(path)) ?? null
      const lost = priceTables.find(({ name }) => file(`${name}.parquet`) === null)
      if (found === undefined && lost !== undefined) {
        const what = "it is gone, and no month of the history has its rows"
        return yield* new FileDamaged({ file: join(own, `${lost.name}.parquet`), what })
      }
      const isAsInPart = found?.night.follows === follows && found.folder.part.part >= (againBy.get(snapshot) ?? "")
      const versionsIn = isAsInPart ? found.folder : null
      const versions = versionsIn !== null ? [] : follows === null ? firstTables : versionTables
      const unversioned = versions.find((name) => file(`${name}.parquet`) === null)
      const changed = follows === null ? own : home.changes(gameId, snapshot)
      if (unversioned !== undefined)
        return yield* new FileDamaged({ file: join(changed, `${unversioned}.parquet`), what: "it is gone" })
      return {
        gameId,
        snapshot,
        place: index + 1,
        follows,
        deploymentId: facts.deploymentId,
        deployedAt: facts.deployedAt,
        dialect: facts.dialect ?? "spec",
        extractedAt: facts.extractedAt,
        tables: facts.tables,
        contractVersion: facts.contractVersion,
        file,
        pricesIn: found?.folder ?? null,
        versionsIn
      } satisfies Omit<Night, "seenAt" | "month">
    }),
    { concurrency: 8 }
  )
  return inMonths(nights)
})

/** When each night counts as seen, and its month. */
const inMonths = (nights: ReadonlyArray<Omit<Night, "seenAt" | "month">>): ReadonlyArray<Night> => {
  const times = timesInOrder(nights.map((night) => night.extractedAt))
  return nights.map((night, index): Night => {
    const seenAt = times[index] ?? night.extractedAt
    return Object.assign(night, { seenAt, month: night.pricesIn?.part.month ?? seenAt.slice(0, 7) })
  })
}

/**
 * What the history needs to know about a night that is in no part. If its manifest
 * cannot be read, its reading says the same, except for the sums of its files.
 */
const factsOf = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
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

/**
 * A night is at least a millisecond before the one that followed it,
 * whatever this machine's clock said then.
 */
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

/** The files that have the versions of these nights: of their months, or their own. */
export const versionFiles = (nights: ReadonlyArray<Night>): ReadonlyArray<string> => [
  ...new Set(
    nights.flatMap(({ file, follows, versionsIn }) =>
      versionsIn !== null
        ? versionTables.map((table) => join(versionsIn.folder, `${table}.parquet`))
        : (follows === null ? firstTables : versionTables).flatMap((table) => file(`${table}.parquet`) ?? [])
    )
  )
]
