import { likeDialect } from "../../../feed/contract/dialect/dialects.ts"
import { type SourceTitles, titlesIn } from "../../../feed/contract/sourceTitles.ts"
import type { Manifest } from "../../home/Manifest.ts"
import type { Diff } from "../../home/Diff.ts"
import type { Look } from "../heldAdvice.ts"

export type Row = Readonly<Record<string, unknown>>

/** The part of a manifest that rules read. */
export type JudgedManifest = Pick<
  Manifest,
  | "gameId"
  | "snapshot"
  | "contractVersion"
  | "dialect"
  | "dialectFile"
  | "via"
  | "extractedAt"
  | "previous"
  | "refused"
  | "checks"
> & { readonly tables: Readonly<Record<string, { readonly rows: number }>> }

/** An unpublished snapshot and its predecessor, or a few records of a game judged as if they were all. */
export interface JudgedNight {
  readonly manifest: JudgedManifest
  /** The published snapshot; null on the game's first night. */
  readonly previous: JudgedManifest | null
  /** The changes since; null for a first night and for a sample. */
  readonly diff: Diff | null
  /** Maximum share of products or prices in which an unknown key or currency counts as a mistake of the feed. */
  readonly slips: number
}

/** A rule that holds a night whose data looks wrong. The night is not published until a user has reviewed it. */
export interface HoldRule {
  /** The suffix of its setting: `refused` is `CARDLAKE_HOLD_REFUSED`. */
  readonly name: string
  /** Default share above which it holds: 0.05 is 5 %. Null if it has no setting. */
  readonly bound: number | null
  /**
   * A query over schemas `before` and `after` with the tables of both snapshots; on a first night (variable
   * `is_first`) both are the new one. Variables: `known_before` and `known_after` (names of price blocks and ids in
   * each dialect), `slips`, `price_figures`, `figure_keys`. Null if the manifests suffice.
   */
  readonly sql: string | null
  /** SQL of rows without which the query finds nothing. It is far cheaper than the query. */
  readonly needs?: string
  /** The nights that the rule judges. A game's first night has no predecessor for comparison. */
  readonly judges: "every night" | "later nights"
  /** Result in `doctor` and dialect trials: held, or may be held if the rule counts over all pages. */
  readonly onPage: "held" | "may be held"
  /** What a person looks at and decides; a rule with several causes chooses by the rows of its query. */
  readonly look: Look | ((rows: ReadonlyArray<Row>) => Look)
  /** Returns why the night is held, one sentence per reason; empty if it is not. `rows` are the query's. */
  readonly sentences: (night: JudgedNight, rows: ReadonlyArray<Row>, bound: number) => ReadonlyArray<string>
}

/** Returns the night's titles of sources; if it has none of a dialect, the published night's. */
export const nightTitles = ({ manifest, previous }: Pick<JudgedNight, "manifest" | "previous">): SourceTitles =>
  titlesIn(likeDialect(manifest.dialect ?? previous?.dialect))

/** Maximum share of a night's records that may be mistakes of the feed. */
export const slips = 0.01

/** Formats a share as a percentage with one decimal place; below 0.1 % it keeps the first significant digit. */
export const percentage = (share: number): string =>
  share > 0 && share < 0.001 ? String(Number((share * 100).toPrecision(1))) : (share * 100).toFixed(1)

export const percent = (share: number): string => `${percentage(share)} %`

/** Formats two shares that differ with as many decimal places as tell them apart. */
export const percentsApart = (one: number, other: number): readonly [string, string] => {
  const digits = [1, 2, 3, 4].find((count) => (one * 100).toFixed(count) !== (other * 100).toFixed(count)) ?? 5
  const format = (share: number) => (digits === 1 ? percent(share) : `${(share * 100).toFixed(digits)} %`)
  return [format(one), format(other)]
}

/** Maximum number of keys that a reason lists. */
const maxNamed = 5

/**
 * Returns a sentence if many products have `what` under keys that the contract does not know. Each row of the query
 * has such a key; the row without key counts the products.
 */
export const unknownKeySentences = (
  { manifest, previous, slips }: JudgedNight,
  rows: ReadonlyArray<Row>,
  { nameOf, what }: { readonly what: string; readonly nameOf: (row: Row) => string }
): ReadonlyArray<string> => {
  const products = Number(rows.find(({ key }) => key === null)?.["products"] ?? 0)
  const share = products / Math.max(1, manifest.tables["products"]?.rows ?? 0)
  if (share <= slips) return []
  const keys = rows.filter(({ key }) => key !== null).map(nameOf)
  const more = keys.length > maxNamed ? ` and ${keys.length - maxNamed} more` : ""
  const have = previous === null ? "have" : "now have"
  return [
    `${percent(share)} of the products ${have} ${what} under keys that the contract does not know, so no table has them: ${keys.slice(0, maxNamed).join(", ")}${more}`
  ]
}
