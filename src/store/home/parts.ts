import { join } from "node:path"
import { Effect, Schema } from "effect"
import { RunId, GameId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { FileDamaged } from "./verifyFile.ts"
import { foldersIn, isThere } from "./disk.ts"
import { readJson, knownContract } from "./jsonFile.ts"
import { Home } from "./Home.ts"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { isPathBelow, PathBelow, namedRecord } from "../../feed/guard/joinBelow.ts"

/** A file in a snapshot or a part: sizes in bytes, sha256 in lower-case hex. */
const KeptFile = Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })

/** A night in a part: the fields of its manifest that the history needs after pruning. */
export const PartNight = Schema.Struct({
  snapshot: SnapshotId,
  /** Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The night that its versions follow; null for the game's first, which has all items. */
  follows: Schema.NullOr(SnapshotId),
  /** The original files of its prices, by table. */
  tables: namedRecord(isPathBelow, KeptFile)
})
export type PartNight = typeof PartNight.Type

/**
 * `part.json`, written last, so a folder without it is not a part. A part holds a game's prices and versions of one UTC
 * month. The newest part of a month counts and includes all earlier ones.
 */
export const Part = Schema.Struct({
  gameId: GameId,
  /** E.g. 2026-05. */
  month: PathBelow,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  contractVersion: Schema.Int,
  /** Oldest first. */
  nights: Schema.Array(PartNight),
  tables: namedRecord(isPathBelow, KeptFile)
})
export type Part = typeof Part.Type

/** A complete part: its folder and its `part.json`. */
export interface PartFolder {
  readonly folder: string
  readonly part: Part
}

/** A folder of a part, complete or not. */
export interface FoundPart {
  readonly month: string
  readonly run: RunId
  readonly folder: string
  readonly isWhole: boolean
}

/** Returns every part folder of a game, by month, oldest first. */
export const listPartFolders = Effect.fnUntraced(function* (gameId: string) {
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

/** Returns the newest folder of each month, the one that counts. */
export const presentFolders = (found: ReadonlyArray<FoundPart>): ReadonlyArray<FoundPart> => [
  ...new Map(found.map((one) => [one.month, one])).values()
]

/**
 * Returns a game's parts, oldest month first. Fails with {@link FileDamaged} if a `part.json` is missing, because
 * that part may be the only one with some nights.
 */
export const listParts = Effect.fnUntraced(function* (gameId: string) {
  const present = presentFolders(yield* listPartFolders(gameId))
  return yield* Effect.forEach(present, readPart(gameId))
})

/** Reads a complete part of a game. */
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
