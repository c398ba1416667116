import { likeDialect } from "../../../feed/contract/dialect/dialects.ts"
import { type SourceTitles, titlesIn } from "../../../feed/contract/sourceTitles.ts"
import type { Manifest } from "../../home/Manifest.ts"
import type { Diff } from "../Diff.ts"

/** A row of a rule's query. */
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

/** A snapshot that was made and is not yet published, or a few records of a game as if they were all, and what it follows. */
export interface JudgedNight {
  readonly manifest: JudgedManifest
  /** What is published; null = nothing: this is the game's first night. */
  readonly previous: JudgedManifest | null
  /** What changed since; null for a first night, and for a sample. */
  readonly diff: Diff | null
  /** Up to this share of products, or of a source's prices, a strange key or currency is a mistake of the feed. */
  readonly slips: number
}

/** A reason to hold a night: its data looks wrong, so that it is not published before somebody has looked. */
export interface HoldRule {
  /** The end of its setting: `refused` is `CARDLAKE_HOLD_REFUSED`. */
  readonly name: string
  /** The share beyond which it holds, unless the setting says another: 0.05 is 5 %. Null: it has no setting. */
  readonly bound: number | null
  /**
   * A query over the schemas `before` and `after`, which have the tables of both snapshots. Of a first night both are the
   * new one (variable `is_first`). Variables `known_before`, `known_after`: the names of price blocks and ids in the words
   * of each; `slips`; `price_figures`, `figure_keys`. Null: the manifests say enough.
   */
  readonly sql: string | null
  /** The nights that it judges: a game's first one has nothing to be compared with. */
  readonly judges: "every night" | "later nights"
  /**
   * What a page of the game that breaks the rule shows, to `doctor` and to the trial of a dialect: that a night is held, or
   * that it may be, because the rule counts over the whole game.
   */
  readonly onPage: "held" | "may be held"
  /** Why a dialect file can help: the feed has words that no table has, or may call otherwise what is missed. Null: it cannot. */
  readonly dialectHelps: "unknown words" | "other words" | null
  /** Why the night is held, a sentence each; empty if it is not. `rows` are those of the query. */
  readonly sentences: (night: JudgedNight, rows: ReadonlyArray<Row>, bound: number) => ReadonlyArray<string>
}

/** What a night calls the sources; without any word of a dialect, as the published night does. */
export const titlesOf = ({ manifest, previous }: Pick<JudgedNight, "manifest" | "previous">): SourceTitles =>
  titlesIn(likeDialect(manifest.dialect ?? previous?.dialect))

/** The share of a night's records that may be mistakes of the feed. */
export const slips = 0.01

/** With one place; a share below 0.1 % keeps its first digit. */
export const percentage = (share: number): string =>
  share > 0 && share < 0.001 ? String(Number((share * 100).toPrecision(1))) : (share * 100).toFixed(1)

export const percent = (share: number): string => `${percentage(share)} %`

/** Keys that a reason names. */
const maxNamed = 5

/**
 * Whether many products have `what` under keys that the contract does not know. A row of the query names such a key; the
 * one without a key counts the products.
 */
export const strangeSentences = (
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
