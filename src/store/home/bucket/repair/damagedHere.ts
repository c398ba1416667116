import { join, relative } from "node:path"
import { Effect } from "effect"
import type { LakeError } from "../../../../feed/reading/LakeError.ts"
import { BucketFailed } from "../BucketFailed.ts"
import { swapDocument } from "../bucketDocuments.ts"
import { gameKey } from "../bucketKeys.ts"
import type { Checkout } from "../checkOut.ts"
import { GameDocument } from "../documents.ts"
import { keyOfKnown, lookOf } from "../hollowFiles.ts"

/** An object that is not what a document says, and the file that stands in for it. */
export interface DamagedObject {
  readonly path: string
  /** Its path in the home. */
  readonly file: string
  readonly object: string
  /** Continues a sentence: `it is missing`. */
  readonly what: string
}

const damageIn = (error: LakeError): string | null =>
  error.cause instanceof BucketFailed ? (error.cause.damage ?? null) : null

/**
 * Fetches everything of a checked-out home and compares it. What the bucket has lost stays here without content, so
 * that a repair finds it damaged, as in a folder; what the repair leaves is named as before.
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

/** Those that nothing has taken the place of. */
export const stillDamaged = ({ hollow }: Pick<Checkout, "hollow">, damaged: ReadonlyArray<DamagedObject>) =>
  damaged.filter(({ path }) => hollow.known.get(path)?.look === lookOf(path))

/** Reports that a repair has set aside are no game's any more; a part of a night without its report is read again. */
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
