import { relative } from "node:path"
import { Effect } from "effect"
import type { LakeError } from "../../../../feed/reading/LakeError.ts"
import { BucketFailed } from "../BucketFailed.ts"
import { isLost, type ReportRef } from "../documents.ts"
import { keyOfFile, reportKey } from "../bucketKeys.ts"
import type { Checkout } from "../checkOut.ts"
import { type GameHead, gameLog, openGame } from "../gameInBucket.ts"
import { continueLog } from "../log/commitLog.ts"
import { newAttempt } from "../log/objects.ts"
import { lookOf } from "../placeholders.ts"

/** An object that does not match its document, with its placeholder. */
export interface DamagedObject {
  readonly path: string
  /** The placeholder's path in the home. */
  readonly file: string
  readonly object: string
  /** The object, and the file in it if it contains several. */
  readonly label: string
  /** The damage, as the rest of a sentence: `it is missing`. */
  readonly what: string
}

const damageIn = (error: LakeError): string | null =>
  error.cause instanceof BucketFailed ? (error.cause.damage ?? null) : null

/**
 * Downloads and validates all files of a checked-out home. Files that the bucket has lost remain without content, so
 * that a repair finds them damaged, as in a folder. Documents still name files that were not repaired.
 */
export const damagedHere = Effect.fn("damagedHere")(function* ({ here, store }: Checkout) {
  const found: Array<DamagedObject> = []
  yield* here.obtainAll((error, file, path) => {
    const what = damageIn(error)
    if (what === null) return Effect.fail(error)
    return Effect.sync(() => {
      file.isHere = true
      file.isDamaged = true
      const object = store.urlOf(keyOfFile(file))
      const label = file.pack === undefined ? object : `${object}#${file.name}`
      found.push({ path, file: relative(here.root, path), object, label, what })
    })
  })
  return found.toSorted((a, b) => (a.label < b.label ? -1 : 1))
})

/** Returns the objects that the repair has not replaced. */
export const stillDamaged = ({ here }: Pick<Checkout, "here">, damaged: ReadonlyArray<DamagedObject>) =>
  damaged.filter(({ path }) => here.known.get(path)?.look === lookOf(path))

/** Removes reports from their games if they are damaged. A night's part without its report is read again. */
export const forgetReports = Effect.fn("forgetReports")(function* ({ games, store }: Checkout) {
  const isDamaged = (gameId: string, report: ReportRef | null | undefined) =>
    report == null
      ? Effect.succeed(false)
      : store.fetchText(reportKey(gameId, report), report.file[0]).pipe(
          Effect.as(false),
          Effect.catchIf(isLost, () => Effect.succeed(true))
        )
  for (const [gameId, game] of games) {
    const next = Effect.fnUntraced(function* (base: GameHead | null) {
      if (base === null) return null
      const { part, ...others } = base.commit
      const isLostPart = yield* isDamaged(gameId, part?.report)
      const isLostReport = yield* isDamaged(gameId, others.report)
      if (!isLostPart && !isLostReport) return null
      const report = isLostReport ? null : others.report
      return { ...others, report, ...(part === undefined || isLostPart ? {} : { part }) }
    })
    const from = game.opened.head
    const { head } = yield* continueLog(store, gameLog(gameId), { from, attempt: yield* newAttempt, next })
    if (head !== from) games.set(gameId, { ...game, opened: openGame(store, gameId, head) })
  }
})
