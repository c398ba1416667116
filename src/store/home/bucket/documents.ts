import { Schema } from "effect"
import { GameId, isFolderName, RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { RunKind } from "../Home.ts"
import { homeFormat } from "../HomeMarker.ts"
import { NightId } from "./nights/nightId.ts"
import { isPathBelow, recordOf } from "../../../feed/guard/joinBelow.ts"
import { placeOf } from "./placeOf.ts"

/** The layout of a home in a bucket that this version reads and writes. */
const Format = Schema.Literal(homeFormat)

// A document may come from anyone who can write to the bucket: every name in it is checked here, before it becomes a path.

/** See `newAttempt`. Empty: nobody wrote anything. */
const Attempt = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z-]{0,64}$/))
const Sum = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}[T ][\d:.]{5,16}(?:Z|[+-][\d:]{2,6})?$/))
const isMonth = (name: string) => /^(\d{6}|other)$/.test(name)
const isFolder = (path: string) => placeOf(`${path}/file`)?.folder === path

/** A document that never changes: who wrote it, and its sum, which its name has. */
export const Ref = Schema.Struct({ attempt: Attempt, sha256: Sum })
export type Ref = typeof Ref.Type

/** A file: its sum, its bytes, and who wrote it if that is not who wrote its folder. */
export const StoredFile = Schema.Union([Schema.Tuple([Sum, Count]), Schema.Tuple([Sum, Count, Attempt])])
export type StoredFile = typeof StoredFile.Type

/** The files of a folder, by their names in it. */
export const StoredFiles = Schema.Struct({ attempt: Attempt, files: recordOf(isPathBelow, StoredFile) })
export type StoredFiles = typeof StoredFiles.Type

/** A folder of many files, such as a reading's pages, whose list is a document of its own. */
export const ListedFolder = Schema.Struct({ list: Ref, files: Count, sizeBytes: Count })
export type ListedFolder = typeof ListedFolder.Type

/** What the runs of a month wrote of a game: each folder by its path in a home. */
export const MonthOfGame = Schema.Struct({ folders: recordOf(isFolder, Schema.Union([ListedFolder, StoredFiles])) })
export type MonthOfGame = typeof MonthOfGame.Type

/** A step of what was published: run, kind, snapshot if it is not the run's, when, and the person's reason. */
const Step = Schema.Tuple([RunId, RunKind, Schema.NullOr(SnapshotId), Instant, Schema.NullOr(Schema.String)])

/** All of a game, as somebody left it: it never changes, and names everything that a home has of the game. */
export const GameState = Schema.Struct({
  format: Format,
  gameId: GameId,
  /** One more than that of the state which it follows. */
  number: Count,
  /** The snapshot that is published once the lake names this state; null = none. */
  live: Schema.NullOr(SnapshotId),
  published: Schema.Array(SnapshotId),
  held: Schema.Array(SnapshotId),
  steps: Schema.Array(Step),
  /** By month of the run, such as 202611. */
  months: recordOf(isMonth, Ref),
  /** Files that belong to no run. */
  files: StoredFiles
}).check(
  Schema.makeFilter(({ live, published }) => (live === null ? published.length === 0 : published.includes(live))),
  Schema.makeFilter(({ files, gameId }) =>
    Object.keys(files.files).every((name) => {
      const place = placeOf(name)
      return place?.gameId === gameId && place.folder === null
    })
  )
)
export type GameState = typeof GameState.Type

/** Files that no document names any more, and when that was written down: they go after a week. */
const Leaving = Schema.Struct({ at: Instant, list: Ref, files: Count })
export type Leaving = typeof Leaving.Type

/** Whose writes a document has, the last ones: a writer whose answer was lost finds itself here. */
const Writers = Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9a-z]{1,12}$/)))

/** The report of a run, and the file that has it. */
const ReportRef = Schema.Struct({ run: RunId, file: Schema.Tuple([Sum, Count, Attempt]) })
export type ReportRef = typeof ReportRef.Type

/** What a runner made of a game for a night that is published as a whole. */
export const NightPart = Schema.Struct({
  night: NightId,
  verdict: Schema.Literals(["published", "unchanged", "missing", "held", "failed"]),
  report: ReportRef
})
export type NightPart = typeof NightPart.Type

/** `games/<game>/game.json`: the newest state of a game. It is swapped; only the lake's document publishes. */
export const GameDocument = Schema.Struct({
  format: Format,
  gameId: GameId,
  /** Null: nothing was ever stored. */
  state: Schema.NullOr(Ref),
  number: Count,
  /** `held`: its newest reading waits for a person, and what is published stays. */
  verdict: Schema.Literals(["ready", "held"]),
  at: Instant,
  /** The report of the run that wrote it. */
  report: Schema.NullOr(ReportRef),
  /** The newest night that the game was read for as a part. Absent: none yet. */
  part: Schema.optionalKey(NightPart),
  leaving: Schema.Array(Leaving),
  writers: Writers
})
export type GameDocument = typeof GameDocument.Type

/** The reports of a month's runs. */
export const MonthOfRuns = Schema.Struct({ runs: recordOf(Schema.is(RunId), StoredFile), attempt: Attempt })
export type MonthOfRuns = typeof MonthOfRuns.Type

/** Nights in parts. */
const Nights = Schema.Struct({
  /** The one that was planned last, and its games in the order of their numbers. */
  planned: Schema.NullOr(Schema.Struct({ night: NightId, games: Schema.Array(GameId) })),
  /** The newest one that is published, and of which every game was read. */
  closed: Schema.NullOr(NightId)
})
export type Nights = typeof Nights.Type

/** `lake.json`: which state of each game is published. It is swapped. */
export const LakeDocument = Schema.Struct({
  format: Format,
  games: recordOf(isFolderName, Schema.Struct({ state: Ref, number: Count })),
  /** Reports of runs, by month of the run. */
  runs: recordOf(isMonth, Ref),
  /** Files that belong to no game. */
  files: StoredFiles.check(
    Schema.makeFilter(({ files }) => Object.keys(files).every((name) => placeOf(name)?.gameId === null))
  ),
  leaving: Schema.Array(Leaving),
  /** Grows with every prune, so that no publisher goes on with what it read before. */
  prunes: Count,
  /** Absent: no night was ever planned in parts. */
  nights: Schema.optionalKey(Nights),
  writers: Writers
})
export type LakeDocument = typeof LakeDocument.Type
