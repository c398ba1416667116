import { join } from "node:path"
import { Effect, Result } from "effect"
import { FileDamaged } from "../../home/verifyFile.ts"
import { Home, type Current } from "../../home/Home.ts"
import { partFoldersOf, presentFolders, readPart } from "../../home/parts.ts"
import type { LakeRecords } from "../publish/lakeRecords.ts"
import type { StoppedGame } from "../publish/StoppedGames.ts"

/**
 * Games with a month whose `part.json` is damaged: until that is repaired, their history is read as the lake has it on
 * record. Fails with `FileDamaged` if the lake has no records, because then the month's rows would be missing.
 */
export const stoppedGames = Effect.fn("stoppedGames")(function* (current: Current, records: LakeRecords | null) {
  const home = yield* Home
  const stopped = new Map<string, StoppedGame>()
  for (const gameId of Object.keys(current.games)) {
    const found = yield* Effect.forEach(presentFolders(yield* partFoldersOf(gameId)), (one) =>
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

/** Months that the lake has on record and that are no longer in the home. */
export const monthsGone = Effect.fn("monthsGone")(function* (current: Current, records: LakeRecords | null) {
  const home = yield* Home
  const gone: Array<FileDamaged> = []
  for (const { gameId, month, part } of records?.parts ?? []) {
    if (current.games[gameId] === undefined) continue
    const there = (yield* partFoldersOf(gameId)).some((one) => one.month === month)
    const file = join(home.part(gameId, month, part), "part.json")
    if (!there) gone.push(new FileDamaged({ file, what: "it is gone, with every file of its month" }))
  }
  return gone
})
