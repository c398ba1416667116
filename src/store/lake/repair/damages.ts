import { join } from "node:path"
import { Effect } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { rawNames } from "../../../feed/reading/RawFiles.ts"
import type { RawPage } from "../../../feed/reading/Extraction.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"
import { type Current, Home, readCurrent } from "../../home/Home.ts"
import { backfilledGames, damagedAnswers, wholeParts } from "../backfill/backfillDamages.ts"
import { changesFiles, partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { FileDamaged, verifySummed, verifyFile } from "../../home/verifyFile.ts"
import { foldersIn, isThere, namesIn } from "../../home/disk.ts"
import { isMarkedHeld, readHeldBack } from "../../home/HeldBack.ts"
import { readConfirmations, keptDrift } from "../history/storeBeforePrune.ts"
import { feedFiles } from "../history/feed.ts"
import { type SnapshotFolder, type Manifest, readSnapshot, listSnapshotIds } from "../../home/Manifest.ts"
import { listPartFolders, presentFolders, readPart } from "../../home/parts.ts"
import { RawPageDamaged, readRawPage } from "../load/readRawPage.ts"
import { runsWithReport, verifyRunFile } from "../../home/newRunId.ts"
import { snapshotsAreThere, missingMonths } from "./verifyPublished.ts"
import { lakeRecords } from "../publish/lakeRecords.ts"
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
