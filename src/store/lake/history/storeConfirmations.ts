import { lstatSync } from "node:fs"
import { Effect, Schema } from "effect"
import { DialectName } from "../../../feed/contract/dialect/DialectName.ts"
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { FileDamaged } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import { readJson, writeJson } from "../../home/jsonFile.ts"

/** A night that found nothing newer than an earlier snapshot. */
export const Confirmation = Schema.Struct({
  gameId: Schema.String,
  snapshot: SnapshotId,
  /** Start of the run that found it. */
  seenAt: Schema.String,
  /** The words that it was read in. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName)
})
export type Confirmation = typeof Confirmation.Type

const Kept = Schema.Struct({ nights: Schema.Array(Confirmation) })

/** A game's stored nights without news; none if there is no file. */
export const readConfirmations = Effect.fnUntraced(function* (gameId: string) {
  const file = (yield* Home).confirmations(gameId)
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return []
  const { nights } = yield* readJson(file, Kept)
  const other = nights.find((night) => night.gameId !== gameId)
  return other === undefined ? nights : yield* new FileDamaged({ file, what: `it belongs to ${other.gameId}` })
})

/**
 * Saves a game's nights without news from run reports that are about to be
 * removed, in a file of its history. Doing it twice changes nothing.
 */
export const storeConfirmations = Effect.fn("storeConfirmations")(function* (
  gameId: string,
  confirmations: ReadonlyArray<Confirmation>
) {
  const file = (yield* Home).confirmations(gameId)
  const before = yield* readConfirmations(gameId)
  const all = new Map([...before, ...confirmations].map((one) => [`${one.snapshot} ${one.seenAt}`, one]))
  if (all.size > before.length) yield* writeJson(file, Kept, { nights: [...all.values()] })
})
