import { Schema } from "effect"
import { StoredDialect } from "../contract/dialect/DialectFile.ts"
import { wordedIn } from "../contract/dialect/dialectFrom.ts"
import { DialectName } from "../contract/dialect/DialectName.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { PageKind } from "../contract/records.ts"
import { GameId, RunId, DeploymentId } from "../contract/Ids.ts"
import { Via } from "../contract/Via.ts"
import { PathBelow } from "../guard/joinBelow.ts"

/** What was said of a feed file when it was used. */
const RawFeed = Schema.Struct({
  /** SHA-256 of its lines, unpacked. */
  checksum: Schema.String,
  generatedAt: Schema.String,
  lastRefreshedAt: Schema.String,
  /** The reading that has the file. Absent: this one. */
  run: Schema.optionalKey(RunId)
})

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
  file: PathBelow,
  records: Schema.Int,
  refused: Schema.Int,
  /** Records with a key that the contract does not know. Absent: none. */
  drifted: Schema.optionalKey(Schema.Int),
  /** Of the uncompressed body. */
  sizeBytes: Schema.Int,
  /** Of the file, lower-case hex. */
  sha256: Schema.String,
  /** Of a feed file alone. */
  feed: Schema.optionalKey(RawFeed)
})
export type RawPage = typeof RawPage.Type

/** A key that the contract does not know, with how many records have it. */
export const UnknownKey = Schema.Struct({ kind: PageKind, path: Schema.String, records: Schema.Int })

/**
 * One consistent reading of one game: `extraction.json`, written last into `<home>/raw/<game>/<run>/`.
 * `refusals.ndjson` beside it has one {@link Refusal} per line. Design: decisions 2 to 4.
 */
export const Extraction = Schema.Struct({
  gameId: GameId,
  runId: RunId,
  /** The dialect that its pages are in. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  /** The file that says what the dialect is. Absent: it is a known one. */
  dialectFile: Schema.optionalKey(StoredDialect),
  /** How it was read. Absent: page by page. */
  via: Schema.optionalKey(Via),
  /** By feed files: the newest deployment then, which they need not show yet. */
  head: Schema.optionalKey(Schema.NullOr(DeploymentId)),
  /** The deployment that the pages belong to, or that feed files show; null if the feed has no entry yet. */
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  completedAt: Schema.String,
  /** How often the game was read until the head stopped moving and the census added up. */
  rounds: Schema.Int,
  /** Pages that an earlier run had stored, so that they were not requested again. Absent: none. */
  resumedPages: Schema.optionalKey(Schema.Int),
  products: Schema.Int,
  expansions: Schema.Int,
  refused: Schema.Int,
  unknownKeys: Schema.Array(UnknownKey),
  pages: Schema.Array(RawPage)
})
export type Extraction = typeof Extraction.Type

/** What an extraction says of the pages, or feed files, that were read. */
export const factsOf = ({
  dialect,
  pages,
  resumedPages,
  unknownKeys
}: {
  readonly dialect: Dialect | null
  readonly pages: ReadonlyArray<RawPage>
  readonly resumedPages: number
  readonly unknownKeys: ReadonlyMap<string, typeof UnknownKey.Type>
}) => {
  const accepted = (...kinds: ReadonlyArray<PageKind>) =>
    pages.reduce((sum, page) => (kinds.includes(page.kind) ? sum + page.records - page.refused : sum), 0)
  return {
    ...wordedIn(dialect),
    ...(resumedPages > 0 ? { resumedPages } : {}),
    products: accepted("products", "catalog"),
    expansions: accepted("expansions", "feedExpansions"),
    refused: pages.reduce((sum, page) => sum + page.refused, 0),
    unknownKeys: [...unknownKeys.values()],
    pages
  }
}
