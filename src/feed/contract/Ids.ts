import { Schema } from "effect"

// A game's id stays plain text. Every id that is used beside it is branded, so a swap does not compile.

const folderName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/
/** Names that DuckDB reads as null in a path, and those that Windows reserves for devices, with any extension. */
const reservedName = /^(?:null$|(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i

/** Ids become folder names, so a game whose id could escape the home, or that some disks cannot store, is refused. */
export const isFolderName = (gameId: string): boolean => folderName.test(gameId) && !reservedName.test(gameId)

/** A game's id in a document of a home. */
export const GameId = Schema.String.check(Schema.makeFilter(isFolderName))

/** A deployment's id: an entry of the changelog. Opaque. */
export const DeploymentId = Schema.NonEmptyString.pipe(Schema.brand("DeploymentId"))
export type DeploymentId = typeof DeploymentId.Type

/** A run's id, sorting by time: `20261121T001500123Z-3f9a`. Files are named after it, so it leads to no other folder. */
export const RunId = Schema.String.check(Schema.isPattern(/^(?!\.{1,2}$)[^/\\\0]{0,255}$/)).pipe(Schema.brand("RunId"))
export type RunId = typeof RunId.Type

/** True for a text that may name a run or a snapshot: those of files and rows come from elsewhere. */
export const isRunId = Schema.is(RunId)

/** A snapshot's id is that of the run that read it, so it may be used wherever a run's id is expected. */
export const SnapshotId = RunId.pipe(Schema.brand("SnapshotId"))
export type SnapshotId = typeof SnapshotId.Type
