import { Schema } from "effect"
import { GameId, isFolderName, RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { RunKind } from "../Home.ts"
import { homeFormat } from "../HomeMarker.ts"
import { NightId } from "./nights/nightId.ts"
import { isPathBelow, recordOf } from "../../../feed/guard/joinBelow.ts"
import { placeOf } from "./placeOf.ts"

/** The layout of a home in a bucket that this version reads and writes. */
const Format = Schema.Literal(homeFormat)

// Any client with write access can write documents, so every name is validated here, before it becomes a path.

/** See `newAttempt`. Empty if there is no writer. */
const Attempt = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z-]{0,64}$/))
const Sum = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}[T ][\d:.]{5,16}(?:Z|[+-][\d:]{2,6})?$/))
const isMonth = (name: string) => /^(\d{6}|other)$/.test(name)
const isFolder = (path: string) => placeOf(`${path}/file`)?.folder === path

/** A reference to an immutable document: its writer and its checksum, which is part of its name. */
export const Ref = Schema.Struct({ attempt: Attempt, sha256: Sum })
export type Ref = typeof Ref.Type

/** A file: its checksum, its size, and its writer if another one wrote the folder. */
export const StoredFile = Schema.Union([Schema.Tuple([Sum, Count]), Schema.Tuple([Sum, Count, Attempt])])
export type StoredFile = typeof StoredFile.Type

/** The files of a folder by name. */
export const StoredFiles = Schema.Struct({ attempt: Attempt, files: recordOf(isPathBelow, StoredFile) })
export type StoredFiles = typeof StoredFiles.Type

/** A folder with many files, such as a reading's pages, whose list is a separate document. */
export const ListedFolder = Schema.Struct({ list: Ref, files: Count, sizeBytes: Count })
export type ListedFolder = typeof ListedFolder.Type

/** A game's folders from the runs of a month, by their paths in a home. */
export const MonthOfGame = Schema.Struct({ folders: recordOf(isFolder, Schema.Union([ListedFolder, StoredFiles])) })
export type MonthOfGame = typeof MonthOfGame.Type

/** A publication: run, kind, snapshot if it differs from the run, time, and the person's reason. */
const Step = Schema.Tuple([RunId, RunKind, Schema.NullOr(SnapshotId), Instant, Schema.NullOr(Schema.String)])

/** The complete state of a game. It is immutable, and names all of the game's files in a home. */
export const GameState = Schema.Struct({
  format: Format,
  gameId: GameId,
  /** The number of the previous state plus one. */
  number: Count,
  /** The published snapshot once the lake names this state; null if there is none. */
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

/** Unreferenced files and the time of their listing. They are deleted a week later. */
const Leaving = Schema.Struct({ at: Instant, list: Ref, files: Count })
export type Leaving = typeof Leaving.Type

/** The document's last writers. A writer that missed the answer finds its name here. */
const Writers = Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9a-z]{1,12}$/)))

/** The report of a run, and its file. */
const ReportRef = Schema.Struct({ run: RunId, file: Schema.Tuple([Sum, Count, Attempt]) })
export type ReportRef = typeof ReportRef.Type

/** A runner's result for a game, in a night that is published as one. */
export const NightPart = Schema.Struct({
  night: NightId,
  verdict: Schema.Literals(["published", "unchanged", "missing", "held", "failed"]),
  report: ReportRef
})
export type NightPart = typeof NightPart.Type

/** `games/<game>/game.json`: a game's newest state. Updated by compare-and-swap; only the lake's document publishes. */
export const GameDocument = Schema.Struct({
  format: Format,
  gameId: GameId,
  /** Null if no state was ever stored. */
  state: Schema.NullOr(Ref),
  number: Count,
  /** `held`: the newest reading waits for a person, and the published snapshot remains. */
  verdict: Schema.Literals(["ready", "held"]),
  at: Instant,
  /** The report of the run that wrote the state. */
  report: Schema.NullOr(ReportRef),
  /** The newest night for which the game was read as a part. Absent: none yet. */
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
  /** The night planned last, and its games in the order of their numbers. */
  planned: Schema.NullOr(Schema.Struct({ night: NightId, games: Schema.Array(GameId) })),
  /** The newest published night whose games were all read. */
  closed: Schema.NullOr(NightId)
})
export type Nights = typeof Nights.Type

/** `lake.json`: the published state of each game. Updated by compare-and-swap. */
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
  /** Incremented by every prune, so that publishers must read the document again. */
  prunes: Count,
  /** Absent: no night was ever planned in parts. */
  nights: Schema.optionalKey(Nights),
  writers: Writers
})
export type LakeDocument = typeof LakeDocument.Type
