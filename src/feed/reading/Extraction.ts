import { Schema } from "effect"
import { StoredDialect, wordedIn } from "../contract/dialect/DialectFile.ts"
import { DialectName } from "../contract/dialect/DialectName.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { PageKind } from "../contract/records.ts"
import { GameId, RunId, DeploymentId } from "../contract/Ids.ts"
import { Via } from "../contract/Via.ts"
import { PathBelow } from "../guard/joinBelow.ts"

/** The description of a feed file when it was used. */
const RawFeed = Schema.Struct({
  /** SHA-256 of its unpacked lines. */
  checksum: Schema.String,
  generatedAt: Schema.String,
  lastRefreshedAt: Schema.String,
  /** The reading whose folder has the file. Absent: this one. */
  run: Schema.optionalKey(RunId)
})

/** One page: a body kept byte for byte, compressed. Files are relative to the extraction's folder. */
export const RawPage = Schema.Struct({
  kind: PageKind,
  /** Method, path, query and body of the request; never the key. */
  request: Schema.String,
  requestId: Schema.NullOr(Schema.String),
  /** The unchanged body, `.json.gz`. */
  file: PathBelow,
  records: Schema.Int,
  refused: Schema.Int,
  /** The number of records with an unknown key. Absent: none. */
  drifted: Schema.optionalKey(Schema.Int),
  /** The size of the uncompressed body. */
  sizeBytes: Schema.Int,
  /** The hash of the file, lower-case hex. */
  sha256: Schema.String,
  feed: Schema.optionalKey(RawFeed)
})
export type RawPage = typeof RawPage.Type

/** A key that the contract does not know, with the number of records that have it. */
export const UnknownKey = Schema.Struct({ kind: PageKind, path: Schema.String, records: Schema.Int })

/**
 * One consistent reading of one game: `extraction.json`, written last into `<home>/raw/<game>/<run>/`.
 * `refusals.ndjson` beside it has one {@link Refusal} per line. Design: decisions 2 to 4.
 */
export const Extraction = Schema.Struct({
  gameId: GameId,
  runId: RunId,
  /** The dialect of its pages. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  /** The file that defines the dialect. Absent: the dialect is built in. */
  dialectFile: Schema.optionalKey(StoredDialect),
  /** The way of reading. Absent: page by page. */
  via: Schema.optionalKey(Via),
  /** The newest deployment at the time of a reading by feed files, which may not contain it yet. */
  head: Schema.optionalKey(Schema.NullOr(DeploymentId)),
  /** The deployment of the pages or feed files; null if the changelog has no entry yet. */
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  completedAt: Schema.String,
  /** The number of attempts until the head remained the same and the census added up. */
  rounds: Schema.Int,
  /** The number of pages that an earlier run had stored and that were not requested again. Absent: none. */
  resumedPages: Schema.optionalKey(Schema.Int),
  products: Schema.Int,
  expansions: Schema.Int,
  refused: Schema.Int,
  unknownKeys: Schema.Array(UnknownKey),
  pages: Schema.Array(RawPage)
})
export type Extraction = typeof Extraction.Type

/** Returns an extraction's facts about its pages or feed files. */
export const pickFacts = ({
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
