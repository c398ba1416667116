import { join, relative } from "node:path"
import { Effect } from "effect"
import type { LakeError } from "../../../../feed/reading/LakeError.ts"
import { BucketFailed } from "../BucketFailed.ts"
import { swapDocument } from "../bucketDocuments.ts"
import { gameKey } from "../bucketKeys.ts"
import type { Checkout } from "../checkOut.ts"
import { GameDocument } from "../documents.ts"
import { keyOfKnown, lookOf } from "../hollowFiles.ts"

/** An object that does not match its document, with its placeholder. */
export interface DamagedObject {
  readonly path: string
  /** The placeholder's path in the home. */
  readonly file: string
  readonly object: string
  /** The damage, as the rest of a sentence: `it is missing`. */
  readonly what: string
}

const damageIn = (error: LakeError): string | null =>
  error.cause instanceof BucketFailed ? (error.cause.damage ?? null) : null

/**
 * Downloads and validates all files of a checked-out home. Files that the bucket has lost remain without content, so
 * that a repair finds them damaged, as in a folder. Documents still name files that were not repaired.
 */
export const damagedHere = Effect.fn("damagedHere")(function* ({ hollow, packed, root, standIns, store }: Checkout) {
  yield* Effect.forEach([...packed.keys()], (folder) => standIns.obtain(join(root, folder, "any")), {
    concurrency: 8,
    discard: true
  })
  const found: Array<DamagedObject> = []
  yield* Effect.forEach(
    hollow.known,
    ([path, file]) =>
      Effect.catchIf(
        standIns.obtain(path),
        (error) => damageIn(error) !== null,
        (error) =>
          Effect.sync(() => {
            file.isHere = true
            file.isDamaged = true
            found.push({
              path,
              file: relative(root, path),
              object: store.urlOf(keyOfKnown(file)),
              what: damageIn(error) ?? ""
            })
          })
      ),
    { concurrency: 8, discard: true }
  )
  return found.toSorted((a, b) => (a.object < b.object ? -1 : 1))
})

/** Returns the objects that the repair has not replaced. */
export const stillDamaged = ({ hollow }: Pick<Checkout, "hollow">, damaged: ReadonlyArray<DamagedObject>) =>
  damaged.filter(({ path }) => hollow.known.get(path)?.look === lookOf(path))

/** Removes reports from their games if a repair moved them aside. A night's part without its report is read again. */
export const forgetReports = Effect.fn("forgetReports")(function* ({ games, hollow, root, store }: Checkout) {
  const isLost = (report: GameDocument["report"] | undefined) => {
    const file = join(root, `runs/${report?.run ?? ""}.json`)
    return hollow.known.get(file)?.isDamaged === true && lookOf(file) === null
  }
  for (const [gameId, game] of games) {
    if (!isLost(game.document?.report) && !isLost(game.document?.part?.report)) continue
    const document = yield* swapDocument(store, gameKey(gameId), GameDocument, (there) => {
      if (there === null) return Effect.succeed(null)
      const { part, ...others } = there
      const kept = part === undefined || isLost(part.report) ? {} : { part }
      return Effect.succeed({ ...others, ...kept, report: isLost(there.report) ? null : there.report })
    })
    games.set(gameId, { ...game, document: document ?? game.document })
  }
})
