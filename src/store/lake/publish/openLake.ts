import { Effect, Schema, Runtime } from "effect"
import { Home, readCurrent, type Current } from "../../home/Home.ts"
import { followedBy } from "../../home/HomeMarker.ts"
import { Lake, sqlText } from "../duckdb/Lake.ts"
import { foldersIn, isThere, FileDamaged } from "../../home/disk.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { heldSnapshots } from "../../home/HeldBack.ts"
import { isLakeTooNew } from "../../../feed/reading/LakeError.ts"
import { readSnapshots } from "../../home/Manifest.ts"

/** The home has no `lake.duckdb`. */
export class NoLake extends Schema.TaggedError<NoLake>()("NoLake", {
  home: Schema.String,
  isMissing: Schema.Boolean,
  /** The bucket home that this one copies. */
  follows: Schema.NullOr(Schema.String),
  /** Games whose snapshots were all held. */
  held: Schema.Array(Schema.String),
  /** True if this program had the lake open before, and now its data directory is missing. */
  isMoved: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    if (this.isMoved === true)
      return `${this.home} is not there any more: the data directory was moved, renamed or deleted. Start this program again with --home and the new folder`
    if (this.follows !== null) {
      const what = this.isMissing ? `lake.duckdb is missing in ${this.home}` : `There is no lake in ${this.home} yet`
      const why = this.isMissing ? `a copy of ${this.follows}` : `no pull from ${this.follows} has finished`
      return `${what}, ${why}. Run again: cardlake pull --home ${shellWord(this.follows)} --to ${shellWord(this.home)}`
    }
    if (this.isMissing)
      return `lake.duckdb is missing in ${this.home}. Rebuild it from the snapshots with: cardlake doctor --repair`
    if (this.held.length > 0)
      return `There is no lake in ${this.home} yet: every snapshot is held (${this.held.join(", ")}). See why with: cardlake runs; publish it with: cardlake release ${shellWord(this.held[0] ?? "")}`
    return `There is no lake in ${this.home} yet. Make one with: cardlake nightly; or name another folder with --home`
  }
}

/** Returns the {@link NoLake} error of this home: nothing was published yet, or the file is missing. */
export const noLake = Effect.gen(function* () {
  const home = yield* Home
  const { games } = yield* Effect.orElseSucceed(readCurrent, () => ({ games: {} }))
  const isHeld = (gameId: string) => Effect.map(heldSnapshots(gameId), (snapshots) => snapshots.length > 0)
  const held = yield* Effect.flatMap(foldersIn(home.snapshots, "game="), Effect.filter(isHeld)).pipe(
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  const follows = yield* Effect.orElseSucceed(followedBy(home), () => null)
  return yield* new NoLake({ home: home.root, isMissing: Object.keys(games).length > 0, follows, held })
})

/** Fails with {@link NoLake} if the home's folder does not exist, because its name may be mistyped. */
export const needFolder = Effect.flatMap(Home, ({ root }) => (isThere(root) ? Effect.void : noLake))

/** Opens a read-only session on `lake.duckdb`. Fails with {@link NoLake} before the first night. */
export const openLake = Effect.gen(function* () {
  const home = yield* Home
  if (!isThere(home.lake)) return yield* noLake
  const session = yield* (yield* Lake).session
  yield* Effect.acquireRelease(
    session.run("Open the lake", `attach ${sqlText(home.lake)} as lake (read_only); use lake`),
    () => Effect.ignore(session.run("Close the lake", "use memory; detach lake"))
  )
  return session
})

/**
 * Reads every row of `lake.duckdb`, which verifies every block. Fails with `FileDamaged` if one is unreadable, and with
 * `LakeError` if a later DuckDB wrote it.
 */
export const lakeIsWhole = Effect.gen(function* () {
  const session = yield* openLake
  const tables = yield* session.rows(
    "List the lake's tables",
    "select schema_name as schema, table_name as name from duckdb_tables() where database_name = 'lake' and not internal and not temporary"
  )
  for (const { name, schema } of tables) {
    yield* session.rows(
      `Read ${String(name)}`,
      `select bit_xor(hash(t)) as content from lake."${String(schema)}"."${String(name)}" t`
    )
  }
}).pipe(
  Effect.scoped,
  Effect.catchTag(
    "LakeError",
    Effect.fnUntraced(function* (error) {
      if (isLakeTooNew(error)) return yield* error
      const reason = String(error.cause instanceof Error ? error.cause.message : error.cause).split("\n")[0]
      return yield* new FileDamaged({ file: (yield* Home).lake, what: `DuckDB cannot read it (${reason})` })
    })
  )
)

/** The command line names a game without a published snapshot. */
export class GameNotInLake extends Schema.TaggedError<GameNotInLake>()("GameNotInLake", {
  wanted: Schema.Array(Schema.String),
  games: Schema.Array(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    const has =
      this.games.length === 0
        ? "Nothing has been published yet. Publish with: cardlake nightly"
        : `It has: ${this.games.join(", ")}`
    return `The lake has no game ${this.wanted.join(", ")}. ${has}`
  }
}

/** Returns a game's snapshots in the home, including held ones. Fails if the game is unknown. */
export const snapshotsOfGame = Effect.fnUntraced(function* (gameId: string, { games }: Current) {
  const found = yield* readSnapshots(gameId)
  if (found.length > 0 || games[gameId] !== undefined) return found
  return yield* new GameNotInLake({ wanted: [gameId], games: Object.keys(games) })
})
