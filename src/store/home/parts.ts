import { join } from "node:path"
import { Effect, Schema } from "effect"
import { RunId, GameId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { FileDamaged } from "./verifyFile.ts"
import { foldersIn, isThere } from "./disk.ts"
import { readJson, knownContract } from "./jsonFile.ts"
import { Home } from "./Home.ts"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { isPathBelow, PathBelow, recordOf } from "../../feed/guard/joinBelow.ts"

/** A file in a snapshot or a part: sizes in bytes, sha256 in lower-case hex. */
const KeptFile = Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })

/** A night of a part: what the history needs from its manifest, which may be pruned. */
export const PartNight = Schema.Struct({
  snapshot: SnapshotId,
  /** The words that it was read in. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The night that its versions follow; null = the game's first, with everything in it. */
  follows: Schema.NullOr(SnapshotId),
  /** The files that its prices came from, by table. */
  tables: recordOf(isPathBelow, KeptFile)
})
export type PartNight = typeof PartNight.Type

/**
 * `part.json`, written last: a folder without it is not a part. A part holds a game's prices and versions of one
 * month, UTC. Of several parts of a month, the newest counts; it has everything that the earlier ones have.
 */
export const Part = Schema.Struct({
  gameId: GameId,
  /** Such as 2026-05. */
  month: PathBelow,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  /** As in a manifest. */
  contractVersion: Schema.Int,
  /** Oldest first. */
  nights: Schema.Array(PartNight),
  tables: recordOf(isPathBelow, KeptFile)
})
export type Part = typeof Part.Type

/** A whole part: its files and what `part.json` says of them. */
export interface PartFolder {
  readonly folder: string
  readonly part: Part
}

/** A folder of a game's months, whole or not. */
export interface FoundPart {
  readonly month: string
  readonly run: RunId
  readonly folder: string
  readonly isWhole: boolean
}

/** Every folder of a part of a game, by month, oldest first. */
export const partFoldersOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const months = yield* foldersIn(home.months(gameId), "month=")
  const found = yield* Effect.forEach(
    months,
    Effect.fnUntraced(function* (month) {
      const runs = yield* foldersIn(join(home.months(gameId), `month=${month}`), "part=")
      return runs.map((name): FoundPart => {
        const run = RunId.make(name)
        const folder = home.part(gameId, month, run)
        return { month, run, folder, isWhole: isThere(join(folder, "part.json")) }
      })
    })
  )
  return found.flat()
})

/** The folder that counts of each month: the newest one. */
export const presentFolders = (found: ReadonlyArray<FoundPart>): ReadonlyArray<FoundPart> => [
  ...new Map(found.map((one) => [one.month, one])).values()
]

/**
 * A game's parts, oldest month first. Fails with {@link FileDamaged} if
 * one has lost its `part.json`: it may be the only one with some nights.
 */
export const partsOf = Effect.fnUntraced(function* (gameId: string) {
  const present = presentFolders(yield* partFoldersOf(gameId))
  return yield* Effect.forEach(present, readPart(gameId))
})

/** A whole part of a game by its folder. */
export const readPart = (gameId: string) =>
  Effect.fnUntraced(function* ({ folder, month, run }: FoundPart) {
    const file = join(folder, "part.json")
    const part = yield* readJson(file, Part)
    if (part.gameId !== gameId || part.month !== month || part.part !== run) {
      return yield* new FileDamaged({
        file,
        what: `it belongs to ${part.month} of ${part.gameId}, written by ${part.part}`
      })
    }
    yield* knownContract(file, part.contractVersion)
    return { folder, part } satisfies PartFolder
  })
