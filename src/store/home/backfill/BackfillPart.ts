import { join } from "node:path"
import { Effect, Schema } from "effect"
import { GameId, RunId } from "../../../feed/contract/Ids.ts"
import { foldersIn, isThere } from "../disk.ts"
import { FileDamaged, filesOnRecord, verifySize } from "../verifyFile.ts"
import { Home } from "../Home.ts"
import { readJson } from "../jsonFile.ts"
import { Part } from "../parts.ts"

/** `part.json`, written last: the part of the history that a night made from a game's backfill. */
export const BackfillPart = Schema.Struct({
  gameId: GameId,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  /** Earlier parts whose rows it includes. */
  replaces: Schema.Array(RunId),
  tables: Part.fields.tables
})
export type BackfillPart = typeof BackfillPart.Type

export interface BackfillPartFolder {
  readonly folder: string
  readonly part: BackfillPart
}

/** Returns the files of a part with their recorded checksums. */
export const backfillPartFiles = ({ folder, part }: BackfillPartFolder) => filesOnRecord(folder, part.tables)

/** Returns every complete part of a game, oldest first. Fails with {@link FileDamaged} if one cannot be read. */
export const allBackfillParts = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const runs = (yield* foldersIn(home.backfillParts(gameId), "part=")).map((name) => RunId.make(name))
  const whole = runs.filter((run) => isThere(join(home.backfillPart(gameId, run), "part.json")))
  return yield* Effect.forEach(
    whole,
    Effect.fnUntraced(function* (run) {
      const folder = home.backfillPart(gameId, run)
      const file = join(folder, "part.json")
      const part = yield* readJson(file, BackfillPart)
      if (part.gameId === gameId && part.part === run) return { folder, part } satisfies BackfillPartFolder
      return yield* new FileDamaged({ file, what: `it belongs to ${part.gameId}, written by ${part.part}` })
    })
  )
})

/** Returns the parts that no other part replaces, after verifying that their files exist. */
export const listBackfillParts = Effect.fnUntraced(function* (gameId: string) {
  const all = yield* allBackfillParts(gameId)
  const replaced = new Set(all.flatMap(({ part }) => part.replaces))
  const present = all.filter(({ part }) => !replaced.has(part.part))
  yield* Effect.forEach(present.flatMap(backfillPartFiles), verifySize, { discard: true })
  return present as ReadonlyArray<BackfillPartFolder>
})
