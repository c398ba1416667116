import { Schema, Effect } from "effect"
import { DeploymentId, GameId, isFolderName, RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { Backfilled, PublicationKind } from "../Home.ts"
import { commitFields } from "./log/commitLog.ts"
import { NightId, Nights } from "./nights/nightId.ts"
import { isPathBelow, namedRecord } from "../../../feed/guard/joinBelow.ts"
import { type HomeFile, type Place, parsePlace, listKey } from "./bucketKeys.ts"
import { hash } from "node:crypto"
import { type BucketFailed, missing } from "./BucketFailed.ts"
import { type BucketStore, decoded, encodeText } from "./BucketStore.ts"
import type { NewObject } from "./log/objects.ts"

// Any client with write access can write documents, so every name is validated here, before it becomes a path.

/** See `newAttempt`. Empty if there is no writer. */
const Attempt = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z-]{0,64}$/))
const Sum = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}[T ][\d:.]{5,16}(?:Z|[+-][\d:]{2,6})?$/))
const isMonth = (name: string) => /^(\d{6}|other)$/.test(name)
const isFolder = (path: string) => parsePlace(`${path}/file.json`)?.folder === path

/** A reference to an immutable document: its writer and its checksum, which is part of its name. */
export const Ref = Schema.Struct({ attempt: Attempt, sha256: Sum })
export type Ref = typeof Ref.Type

/** A file: its checksum, its size, its writer if another one wrote the folder (else empty), and its position if it is in a pack. */
export const StoredFile = Schema.Tuple([Sum, Count, Schema.optionalKey(Attempt), Schema.optionalKey(Count)])
export type StoredFile = typeof StoredFile.Type

/** The files of a folder by name. */
export const StoredFiles = Schema.Struct({ attempt: Attempt, files: namedRecord(isPathBelow, StoredFile) })
export type StoredFiles = typeof StoredFiles.Type

export const filesIn = (
  { folder, gameId }: Omit<Place, "name">,
  { attempt, files }: StoredFiles
): ReadonlyArray<HomeFile> =>
  Object.entries(files).map(([name, [sha256, sizeBytes, by = "", position]]) => ({
    gameId,
    folder,
    name,
    sha256,
    sizeBytes,
    attempt: by || attempt,
    position
  }))

export const listFiles = (attempt: string, files: Iterable<HomeFile>): StoredFiles => ({
  attempt,
  files: Object.fromEntries(
    Array.from(files, ({ attempt: by, name, position, sha256, sizeBytes }): readonly [string, StoredFile] => {
      const other = by === attempt ? "" : by
      if (position !== undefined) return [name, [sha256, sizeBytes, other, position]]
      return [name, other === "" ? [sha256, sizeBytes] : [sha256, sizeBytes, other]]
    })
  )
})

/** A folder with many files, such as a reading's pages, whose list is a separate document, except `own`. */
export const ListedFolder = Schema.Struct({
  list: Ref,
  files: Count,
  sizeBytes: Count,
  own: namedRecord(isPathBelow, StoredFile)
})
export type ListedFolder = typeof ListedFolder.Type

/** A room's folders from the runs of a month, by their paths in a home. */
export const Month = Schema.Struct({ folders: namedRecord(isFolder, Schema.Union([ListedFolder, StoredFiles])) })
export type Month = typeof Month.Type

/** True if all folders of a month belong to this game, or to the lake. */
export const isMonthOf =
  (gameId: string | null) =>
  ({ folders }: Month): boolean =>
    Object.keys(folders).every((path) => parsePlace(`${path}/file.json`)?.gameId === gameId)

/** The files of a game or of the lake, which a commit names. */
const roomFields = {
  /** By month of the run, such as 202611. The newest month is part of the commit; the others have documents. */
  months: namedRecord(isMonth, Schema.Union([Ref, Month])),
  /** Files that belong to no run. */
  files: StoredFiles
}

/** The names of files in a home by a commit. */
export type RoomFiles = Pick<GameCommit, keyof typeof roomFields>

const isRoomOf = (gameId: string | null, { files, months }: RoomFiles): boolean =>
  Object.values(months).every((month) => !("folders" in month) || isMonthOf(gameId)(month)) &&
  Object.keys(files.files).every((name) => {
    const place = parsePlace(name)
    return place?.gameId === gameId && place.folder === ""
  })

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

/** The report of a run as text, from which any later command can list it in the lake. */
export const StoredReport = Schema.Struct({ run: RunId, text: Schema.String })
export type StoredReport = typeof StoredReport.Type

/** A runner's result for a game, in a night that is published as one. */
export const NightPart = Schema.Struct({
  night: NightId,
  verdict: Schema.Literals(["published", "unchanged", "missing", "held", "failed"]),
  report: StoredReport
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
  ...roomFields,
  /** The report of the run that wrote the state; null if there is none. */
  report: Schema.NullOr(StoredReport),
  /** The newest night for which the game was read as a part. Absent: none yet. */
  part: Schema.optionalKey(NightPart)
}).check(
  Schema.makeFilter(({ live, published }) => (live === null ? published.length === 0 : published.includes(live))),
  Schema.makeFilter((commit) => isRoomOf(commit.gameId, commit))
)
export type GameCommit = typeof GameCommit.Type

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
  ...roomFields,
  /** The store that kept its promises, by its name, and when by its clock. Absent: none was checked. */
  checked: Schema.optionalKey(Schema.Struct({ store: Schema.String, atMillis: Count })),
  /** Absent: no night was ever planned in parts. */
  nights: Schema.optionalKey(Nights)
}).check(Schema.makeFilter((commit) => isRoomOf(null, commit)))
export type LakeCommit = typeof LakeCommit.Type

/** True if a document or commit is missing or damaged. */
export const isDamaged = ({ damage }: BucketFailed) => damage !== undefined

export const isMissing = ({ damage }: BucketFailed) => damage === missing

/** The lists that have objects of their own. */
interface Lists {
  readonly month: Month
  readonly list: StoredFiles
}
const lists: { readonly [K in keyof Lists]: Schema.Codec<Lists[K]> } = { month: Month, list: StoredFiles }

export const fetchList = Effect.fnUntraced(function* <K extends keyof Lists>(
  store: BucketStore,
  gameId: string | null,
  kind: K,
  ref: Ref
) {
  const path = listKey(gameId, kind, ref)
  const text = yield* store.fetchText(path, ref.sha256)
  const fits = (list: Lists[keyof Lists]) => !("folders" in list) || isMonthOf(gameId)(list)
  return yield* decoded(store, path, lists[kind], text, fits)
})

/** Returns a list as an object to store, with its reference. */
export const makeList = Effect.fnUntraced(function* <K extends keyof Lists>(
  { attempt, gameId }: { readonly attempt: string; readonly gameId: string | null },
  kind: K,
  value: Lists[K]
) {
  const body = Buffer.from(yield* encodeText(lists[kind], value))
  const ref: Ref = { attempt, sha256: hash("sha256", body) }
  return { ref, object: { key: listKey(gameId, kind, ref), from: [body], sizeBytes: body.length } satisfies NewObject }
})
