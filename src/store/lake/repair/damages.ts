import { join } from "node:path"
import { Effect, Result } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { rawNames } from "../../../feed/reading/RawFiles.ts"
import type { RawPage } from "../../../feed/reading/Extraction.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"
import { type Current, Home, readCurrent } from "../../home/Home.ts"
import { backfilledGames, damagedAnswers, wholeParts } from "../backfill/storeBackfill.ts"
import { partFiles, snapshotFiles } from "../snapshot/snapshotRows.ts"
import { changesFiles } from "../../home/Diff.ts"
import { FileDamaged, verifySummed, verifyFile, foldersIn, isThere, namesIn, verifySize } from "../../home/disk.ts"
import { isMarkedHeld, readHeldBack } from "../../home/HeldBack.ts"
import { readConfirmations, keptDrift } from "../history/tidyHistory.ts"
import { feedFiles } from "../history/feed.ts"
import {
  type SnapshotFolder,
  type Manifest,
  readSnapshot,
  listSnapshotIds,
  listPartFolders,
  presentFolders,
  readPart,
  listParts
} from "../../home/Manifest.ts"
import { RawPageDamaged, readRawPage } from "../load/shredExtraction.ts"
import { runsWithReport, verifyRunFile } from "../../home/newRunId.ts"
import { lakeRecords, verifyChanges, type LakeRecords, type StoppedGame } from "../publish/lakePlan.ts"
import { tellWork } from "../../home/WorkProgress.ts"
import { type LakeError, isLakeTooNew } from "../../../feed/reading/LakeError.ts"
import { RemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import type { UnsupportedContract } from "../../home/jsonFile.ts"
import { openLake } from "../publish/openLake.ts"

/** A difference between the home and its records. */
export interface Damage {
  /** The damaged file; null if it is not one file. */
  readonly file: string | null
  /** The damage and the next step. */
  readonly says: string
  /** The message for use after a repair. */
  readonly afterRepair: string
  /** The damaged snapshot; null if the damage belongs to none. */
  readonly snapshot: { readonly gameId: string; readonly snapshot: SnapshotId } | null
}

export const damageIn = (error: { readonly message: string }, snapshot: Damage["snapshot"] = null): Damage => {
  const { message } = error
  if (error instanceof FileDamaged) return { file: error.file, says: message, afterRepair: error.afterRepair, snapshot }
  return { file: error instanceof RawPageDamaged ? error.file : null, says: message, afterRepair: message, snapshot }
}

export const findDamage = <E extends { readonly message: string }, R>(
  look: Effect.Effect<unknown, E, R>,
  snapshot: Damage["snapshot"] = null
): Effect.Effect<ReadonlyArray<Damage>, never, R> =>
  Effect.match(look, { onSuccess: () => [], onFailure: (error) => [damageIn(error, snapshot)] })

/** Verifies every file of the home's snapshots, months, raw pages and documents against its record. */
export const findDamages = Effect.fn("damagesOf")(function* (current: Current) {
  const home = yield* Home
  const missing = yield* findDamage(snapshotsAreThere(current))
  if (missing.length > 0) return missing
  const games = new Set([...Object.keys(current.games), ...(yield* foldersIn(home.snapshots, "game="))])
  const found: Array<Damage> = []
  for (const [index, gameId] of [...games].entries()) {
    const named = current.games[gameId]?.published ?? []
    const snapshots = [...new Set([...named, ...(yield* listSnapshotIds(gameId))])]
    for (const [at, snapshot] of snapshots.entries()) {
      yield* tellWork(gameId, (index + at / snapshots.length) / games.size)
      found.push(...(yield* snapshotDamages(gameId, snapshot, named.includes(snapshot))))
    }
    found.push(...(yield* monthDamages(gameId)))
    for (const file of [...(yield* feedFiles(gameId)), ...(yield* keptDrift(gameId))])
      found.push(...(yield* findDamage(verifySummed(file))))
    found.push(...(yield* findDamage(readConfirmations(gameId))))
    found.push(...(yield* findDamage(wholeParts(gameId))))
  }
  for (const gameId of yield* backfilledGames) {
    const parts = yield* Effect.orElseSucceed(wholeParts(gameId), () => [])
    const answers = yield* Effect.orElseSucceed(damagedAnswers(gameId, parts), () => [])
    found.push(...answers.map(({ file, says }) => ({ file, says, afterRepair: says, snapshot: null })))
  }
  found.push(...(yield* missingMonths(current, yield* lakeRecords)).map((missing) => damageIn(missing)))
  found.push(...(yield* findDamage(verifySummed(home.rates))))
  for (const run of yield* runsWithReport) found.push(...(yield* findDamage(verifyRunFile(run))))
  return found
})

export const hasRawPages = Effect.fnUntraced(function* ({ gameId, runId }: Manifest) {
  return (yield* namesIn(join((yield* Home).raw(gameId, runId), rawNames.pages))).length > 0
})

const snapshotDamages = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId, isPublished: boolean) {
  const folder = (yield* Home).snapshot(gameId, snapshot)
  const of = { gameId, snapshot }
  const held = yield* findDamage(readHeldBack(folder))
  const known = yield* Effect.result(readSnapshot(folder))
  if (known._tag === "Failure") return [...held, damageIn(known.failure, of)]
  const files = yield* Effect.match(snapshotFiles(known.success), { onSuccess: (files) => files, onFailure: () => [] })
  const tables = yield* Effect.forEach(files, (file) => findDamage(verifyFile(file), of), { concurrency: 4 })
  const changes = Effect.gen(function* () {
    const written = yield* changesFiles(gameId, snapshot)
    yield* Effect.forEach(written, verifyFile)
    const file = join((yield* Home).changes(gameId, snapshot), "diff.json")
    // A snapshot that is neither published nor held may not have changes yet.
    const isJudged = isPublished || (yield* isMarkedHeld(folder))
    if (isJudged && known.success.manifest.previous !== null && !isThere(file))
      return yield* new FileDamaged({ file, what: "it is missing" })
  })
  return [
    ...held,
    ...tables.flat(),
    ...(yield* findDamage(changes, of)),
    ...(yield* findDamage(rawPages(known.success)))
  ]
})

/** Verifies a snapshot's raw pages. The snapshot is complete without them, so missing ones are no damage. */
const rawPages = Effect.fnUntraced(function* ({ manifest }: SnapshotFolder) {
  if (!(yield* hasRawPages(manifest))) return
  const home = yield* Home
  const { pages } = yield* readExtraction(home.raw(manifest.gameId, manifest.runId))
  // An earlier reading may have downloaded the feed file.
  const read = (page: RawPage) => readRawPage(home.raw(manifest.gameId, page.feed?.run ?? manifest.runId), page)
  yield* Effect.forEach(pages, read, { concurrency: 4, discard: true })
})

const monthDamages = Effect.fnUntraced(function* (gameId: string) {
  const present = presentFolders(yield* listPartFolders(gameId))
  const read = yield* Effect.forEach(present, (one) =>
    findDamage(
      Effect.flatMap(readPart(gameId)(one), (part) =>
        Effect.forEach(partFiles(part), verifyFile, { concurrency: 4, discard: true })
      )
    )
  )
  return read.flat()
})

/** Files of the home do not match their records. `says`: a sentence per damage, with the next step. */
export const homeDamaged = (says: ReadonlyArray<string>) => new Fault("HomeDamaged", says.join("; "))

/** Matches DuckDB's errors that are not about damaged files. */
const isAnother = /No space left|ENOSPC|Permission denied|EACCES|EROFS|Out of Memory|INTERRUPT/i

/**
 * If DuckDB fails, searches the home for the damaged file and puts it first in the error, because DuckDB may not name
 * it. Without damage, the error is unchanged. Skipped for remote files, whose download is verified.
 */
export const namingDamage = <A, E, R>(effect: Effect.Effect<A, E | LakeError, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | LakeError, LakeError> =>
      error instanceof Error && "_tag" in error && error._tag === "LakeError" && !isAnother.test(error.message),
    (error) =>
      Effect.gen(function* () {
        if ((yield* RemoteFiles) !== null) return yield* Effect.fail(error)
        const current = yield* Effect.orElseSucceed(readCurrent, () => ({ games: {}, history: [] }))
        const [damage] = yield* findDamages(current)
        return yield* Effect.fail(damage === undefined ? error : homeDamaged([damage.says, error.message]))
      })
  )

const isUnsupported = (error: unknown): error is UnsupportedContract | LakeError =>
  (error instanceof Error && "_tag" in error && error._tag === "UnsupportedContract") || isLakeTooNew(error)

/** Ignores every error except unsupported versions; other checks report those. */
const unlessUnsupported = <A, E, R>(look: Effect.Effect<A, E, R>) =>
  look.pipe(
    Effect.asVoid,
    Effect.catch((error) => (isUnsupported(error) ? Effect.fail(error) : Effect.void))
  )

/** Fails if an unsupported version wrote a document of the home or its lake, which a repair would treat as damaged. */
export const noneUnsupported = Effect.gen(function* () {
  const home = yield* Home
  yield* unlessUnsupported(readCurrent)
  for (const gameId of new Set([
    ...(yield* foldersIn(home.snapshots, "game=")),
    ...(yield* foldersIn(home.history, "game="))
  ])) {
    for (const id of yield* listSnapshotIds(gameId)) {
      const folder = home.snapshot(gameId, id)
      yield* unlessUnsupported(readSnapshot(folder))
      yield* unlessUnsupported(readHeldBack(folder))
    }
    for (const part of presentFolders(yield* listPartFolders(gameId))) yield* unlessUnsupported(readPart(gameId)(part))
    yield* unlessUnsupported(readConfirmations(gameId))
  }
  for (const run of yield* runsWithReport) yield* unlessUnsupported(verifyRunFile(run))
  if (isThere(home.lake)) yield* unlessUnsupported(Effect.scoped(openLake))
})

/** Fails with `SnapshotsGone` if games are published and all their files are missing. */
export const snapshotsAreThere = Effect.fn("snapshotsAreThere")(function* ({ games }: Current) {
  const home = yield* Home
  const published = Object.keys(games)
  for (const gameId of published) {
    if ((yield* listSnapshotIds(gameId)).length > 0) return
    for (const run of yield* namesIn(home.readings(gameId))) {
      if ((yield* namesIn(join(home.readings(gameId), run, rawNames.pages))).length > 0) return
    }
  }
  if (published.length > 0)
    return yield* new Fault(
      "SnapshotsGone",
      `${home.snapshots} has none of the published snapshots, and no raw page is left to rebuild them from. Restore it from a backup, or start a new home: cardlake nightly --home FOLDER`
    )
})

/**
 * Checks, before a night reads anything, that files of published snapshots and months exist with the right size, and
 * that no changes were replaced. Checksums are verified on reading. Returns the games that have to stop alone; fails
 * with `FileDamaged` or `SnapshotsGone` if all have to.
 */
export const verifyPublished = Effect.fn("verifyPublished")(function* (current: Current) {
  const home = yield* Home
  yield* snapshotsAreThere(current)
  const records = yield* lakeRecords
  const stopped = yield* stoppedGames(current, records)
  const [missing] = yield* missingMonths(current, records)
  if (missing !== undefined) return yield* missing
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const published = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const months = (stopped.get(gameId)?.parts ?? (yield* listParts(gameId))).flatMap(partFiles)
    yield* Effect.forEach([...(yield* snapshotFiles(published)), ...months], verifySize, {
      concurrency: 8,
      discard: true
    })
  }
  if ((yield* Home).place.buildsLake) yield* verifyChanges(current, records?.changesSeen ?? new Map())
  return stopped
})

/**
 * Returns games with a damaged `part.json`; until its repair, their history follows the lake's records. Fails with
 * `FileDamaged` if the lake has no records, because the month's rows would be missing.
 */
export const stoppedGames = Effect.fn("stoppedGames")(function* (current: Current, records: LakeRecords | null) {
  const home = yield* Home
  const stopped = new Map<string, StoppedGame>()
  for (const gameId of Object.keys(current.games)) {
    const found = yield* Effect.forEach(presentFolders(yield* listPartFolders(gameId)), (one) =>
      Effect.map(Effect.result(readPart(gameId)(one)), (read) => ({ month: one.month, read }))
    )
    const damage = found.flatMap(({ read }) => (Result.isFailure(read) ? [read.failure] : []))[0]
    if (damage === undefined) continue
    if (damage._tag !== "FileDamaged" || records === null) return yield* damage
    const parts = found.flatMap(({ month, read }) => {
      if (Result.isSuccess(read)) return [read.success]
      // A folder that no publication has read is not the month's.
      const part = records.parts.find((part) => part.gameId === gameId && part.month === month)
      return part === undefined ? [] : [{ folder: home.part(gameId, month, part.part), part }]
    })
    stopped.set(gameId, { damage, parts })
  }
  return stopped
})

/** Returns months that the lake has recorded but the home lacks. */
export const missingMonths = Effect.fn("missingMonths")(function* (current: Current, records: LakeRecords | null) {
  const home = yield* Home
  const missing: Array<FileDamaged> = []
  for (const { gameId, month, part } of records?.parts ?? []) {
    if (current.games[gameId] === undefined) continue
    const there = (yield* listPartFolders(gameId)).some((one) => one.month === month)
    const file = join(home.part(gameId, month, part), "part.json")
    if (!there) missing.push(new FileDamaged({ file, what: "it is missing, and so is every other file of its month" }))
  }
  return missing
})
