import { Schema } from "effect"
import { DeploymentId, GameId, isFolderName, RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { Backfilled, PublicationKind } from "../Home.ts"
import { commitFields } from "./log/commitLog.ts"
import { NightId, Nights } from "./nights/nightId.ts"
import { isPathBelow, namedRecord } from "../../../feed/guard/joinBelow.ts"
import { placeOf } from "./placeOf.ts"

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
export const StoredFiles = Schema.Struct({ attempt: Attempt, files: namedRecord(isPathBelow, StoredFile) })
export type StoredFiles = typeof StoredFiles.Type

/** A folder with many files, such as a reading's pages, whose list is a separate document. */
export const ListedFolder = Schema.Struct({ list: Ref, files: Count, sizeBytes: Count })
export type ListedFolder = typeof ListedFolder.Type

/** A game's folders from the runs of a month, by their paths in a home. */
export const MonthOfGame = Schema.Struct({ folders: namedRecord(isFolder, Schema.Union([ListedFolder, StoredFiles])) })
export type MonthOfGame = typeof MonthOfGame.Type

/** A publication: run, kind, snapshot if it differs from the run, deployment, time, the person's reason, a backfill. */
const Step = Schema.Tuple([
  RunId,
  PublicationKind,
  Schema.NullOr(SnapshotId),
  Schema.NullOr(DeploymentId),
  Instant,
  Schema.NullOr(Schema.String),
  Schema.NullOr(Backfilled)
])

/** The report of a run, and its file. */
export const ReportRef = Schema.Struct({ run: RunId, file: Schema.Tuple([Sum, Count, Attempt]) })
export type ReportRef = typeof ReportRef.Type

/** A runner's result for a game, in a night that is published as one. */
export const NightPart = Schema.Struct({
  night: NightId,
  verdict: Schema.Literals(["published", "unchanged", "missing", "held", "failed"]),
  report: ReportRef
})
export type NightPart = typeof NightPart.Type

/** `games/<game>/commits/<number>.json`: the complete state of a game. It names all of the game's files in a home. */
export const GameCommit = Schema.Struct({
  ...commitFields,
  gameId: GameId,
  /** The number of the newest commit of the lake that the writer has seen; 0 if there was none. */
  lake: Count,
  /** The published snapshot once the lake names this commit; null if there is none. */
  live: Schema.NullOr(SnapshotId),
  published: Schema.Array(SnapshotId),
  held: Schema.Array(SnapshotId),
  steps: Schema.Array(Step),
  /** By month of the run, such as 202611. */
  months: namedRecord(isMonth, Ref),
  /** Files that belong to no run. */
  files: StoredFiles,
  /** The report of the run that wrote the state; null if there is none. */
  report: Schema.NullOr(ReportRef),
  /** The newest night for which the game was read as a part. Absent: none yet. */
  part: Schema.optionalKey(NightPart)
}).check(
  Schema.makeFilter(({ live, published }) => (live === null ? published.length === 0 : published.includes(live))),
  Schema.makeFilter(({ files, gameId }) =>
    Object.keys(files.files).every((name) => {
      const place = placeOf(name)
      return place?.gameId === gameId && place.folder === null
    })
  )
)
export type GameCommit = typeof GameCommit.Type

/** The reports of a month's runs. */
export const MonthOfRuns = Schema.Struct({ runs: namedRecord(Schema.is(RunId), StoredFile), attempt: Attempt })
export type MonthOfRuns = typeof MonthOfRuns.Type

/** `lake/commits/<number>.json`: the published commit of each game, and files that belong to no game. */
export const LakeCommit = Schema.Struct({
  ...commitFields,
  /** The number of the last publication; 0 before the first. See {@link numberSteps}. */
  sequence: Count,
  /** The number of each publication is listed by its run. */
  games: namedRecord(
    isFolderName,
    Schema.Struct({ number: Count, sum: Sum, sequences: namedRecord(Schema.is(RunId), Count) })
  ),
  /** Reports of runs, by month of the run. */
  runs: namedRecord(isMonth, Ref),
  files: StoredFiles.check(
    Schema.makeFilter(({ files }) => Object.keys(files).every((name) => placeOf(name)?.gameId === null))
  ),
  /** Absent: no night was ever planned in parts. */
  nights: Schema.optionalKey(Nights)
})
export type LakeCommit = typeof LakeCommit.Type
