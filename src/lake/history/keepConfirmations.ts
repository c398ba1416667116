import { lstatSync } from "node:fs"
import { Effect, Schema } from "effect"
import { SnapshotId } from "../../contract/Ids.ts"
import { FileDamaged } from "../home/FileDamaged.ts"
import { Home } from "../home/Home.ts"
import { readJson, writeJson } from "../home/jsonFile.ts"

/** A night that found what a snapshot of an earlier one says. */
export const Confirmation = Schema.Struct({
  gameId: Schema.String,
  snapshot: SnapshotId,
  /** Start of the run that found it. */
  seenAt: Schema.String
})
export type Confirmation = typeof Confirmation.Type

const Kept = Schema.Struct({ nights: Schema.Array(Confirmation) })
/** The first ones were a bare list. */
const Confirmations = Schema.Union([Kept, Schema.Array(Confirmation)])

/** What is kept of a game's nights without news; none where there is no file. */
export const readConfirmations = Effect.fnUntraced(function* (gameId: string) {
  const file = (yield* Home).confirmations(gameId)
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return []
  const kept = yield* readJson(file, Confirmations)
  const nights = "nights" in kept ? kept.nights : kept
  const other = nights.find((night) => night.gameId !== gameId)
  return other === undefined ? nights : yield* new FileDamaged({ file, what: `it belongs to ${other.gameId}` })
})

/**
 * Carries what run reports that are about to be removed say of a game's nights
 * without news into a file of its history. To do it twice changes nothing.
 */
export const keepConfirmations = Effect.fn("keepConfirmations")(function* (
  gameId: string,
  confirmations: ReadonlyArray<Confirmation>
) {
  const file = (yield* Home).confirmations(gameId)
  const before = yield* readConfirmations(gameId)
  const all = new Map([...before, ...confirmations].map((one) => [`${one.snapshot} ${one.seenAt}`, one]))
  if (all.size > before.length) yield* writeJson(file, Kept, { nights: [...all.values()] })
})
