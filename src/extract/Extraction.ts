import { Schema } from "effect"
import { records } from "../contract/records.ts"
import { RunId, DeploymentId } from "../contract/Ids.ts"

/** The lists a game is read from. */
export const PageKind = Schema.Literals(Object.keys(records) as ReadonlyArray<keyof typeof records>)
export type PageKind = typeof PageKind.Type

/**
 * One page of the extraction: a response body kept byte for byte,
 * compressed. Files are relative to the extraction's folder.
 */
export const RawPage = Schema.Struct({
  kind: PageKind,
  /** Method, path, query and body of the request; never the key. */
  request: Schema.String,
  requestId: Schema.NullOr(Schema.String),
  /** The body as it came, `.json.gz`. */
  file: Schema.String,
  records: Schema.Int,
  refused: Schema.Int,
  /** Records that carry a key which the contract does not know. Absent: none. */
  drifted: Schema.optionalKey(Schema.Int),
  /** Of the uncompressed body. */
  sizeBytes: Schema.Int,
  /** Of the file, lower-case hex. */
  sha256: Schema.String
})
export type RawPage = typeof RawPage.Type

/** A key that the contract does not know, with how many records carry it. */
export const UnknownKey = Schema.Struct({ kind: PageKind, path: Schema.String, records: Schema.Int })

/**
 * One consistent reading of one game: `extraction.json`, written last into `<home>/raw/<game>/<run>/`.
 * `refusals.ndjson` beside it holds one {@link Refusal} a line. Design: decisions 2 to 4.
 */
export const Extraction = Schema.Struct({
  gameId: Schema.String,
  runId: RunId,
  /** Changelog head that the pages belong to; null when the feed has no entry yet. */
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  completedAt: Schema.String,
  /** How often the game was read until the head stood still and the census added up. */
  rounds: Schema.Int,
  /** Pages that a run before this one had left on disk, so that nobody asked for them again. Absent: none. */
  resumedPages: Schema.optionalKey(Schema.Int),
  products: Schema.Int,
  expansions: Schema.Int,
  refused: Schema.Int,
  unknownKeys: Schema.Array(UnknownKey),
  pages: Schema.Array(RawPage)
})
export type Extraction = typeof Extraction.Type

/** A record the contract rejects. Kept with its place and reason and counted, never dropped. */
export const Refusal = Schema.Struct({
  kind: PageKind,
  /** `file` of its page. */
  page: Schema.String,
  /** Place in the page's `data`, from 0. */
  index: Schema.Int,
  /** The record's id as text where it has one. */
  id: Schema.NullOr(Schema.String),
  /** Field path of the first fault, as `pricesByFinish.Foil.sourceEur.low`. */
  path: Schema.String,
  reason: Schema.String,
  /** The record as JSON text; of a very long one the beginning, with a mark. */
  raw: Schema.String
})
export type Refusal = typeof Refusal.Type
