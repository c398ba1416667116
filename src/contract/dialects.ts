import { Schema } from "effect"

/** The blocks of a finish's prices, by the spec's names. */
export type BlockName = "sourceEur" | "sourceUsd" | "marketplace"

/** A third party whose prices the feed repeats, by the spec's name. */
export type SourceName = Exclude<BlockName, "marketplace">

/** A system with one id of a product, by the spec's name. */
export type SingleId = "mtgId" | "mtgOracleId" | "konamiStyleId" | "lorcanaId" | "fabId" | "riftboundId"

/**
 * How a wire names things. Schemas, key shapes and shredders take it as a value; tables, SQL and whoever asks them have
 * the spec's words alone. A page in any dialect stays on the fast way of acceptance: nothing is renamed record by record.
 */
export interface Dialect {
  readonly name: string
  readonly blocks: Readonly<Record<BlockName, string>>
  /** The currency of a source's block that names none; null: every block has to name its own. */
  readonly currencies: Readonly<Record<SourceName, string | null>>
  /** Keys of `externalIds`. */
  readonly ids: Readonly<Record<SourceName | SingleId, string>>
  /** The id of a changelog's item, by the list that it stands in. */
  readonly changedIds: { readonly products: string; readonly expansions: string }
  /**
   * Words that single records of a page may use instead: the alias, then this dialect's word. One counts where the
   * record lacks the word; such a page is accepted record by record. Beyond the spec: section 15, rows 5 and 7.
   */
  readonly aliases: {
    readonly products: Readonly<Record<string, string>>
    readonly changelog: Readonly<Record<string, string>>
  }
}

/** The spec's own words. */
const spec: Dialect = {
  name: "spec",
  blocks: { sourceEur: "sourceEur", sourceUsd: "sourceUsd", marketplace: "marketplace" },
  currencies: { sourceEur: null, sourceUsd: null },
  ids: {
    sourceEur: "sourceEur",
    sourceUsd: "sourceUsd",
    mtgId: "mtgId",
    mtgOracleId: "mtgOracleId",
    konamiStyleId: "konamiStyleId",
    lorcanaId: "lorcanaId",
    fabId: "fabId",
    riftboundId: "riftboundId"
  },
  changedIds: { products: "id", expansions: "id" },
  aliases: {
    products: { eur: "sourceEur", usd: "sourceUsd" },
    changelog: { productId: "id", expansionId: "id" }
  }
}

/** Every dialect, by its name: a new one is one entry. */
export const dialects = { spec } as const satisfies Readonly<Record<string, Dialect>>
export type DialectName = keyof typeof dialects
export const DialectName = Schema.Literals(Object.keys(dialects) as ReadonlyArray<DialectName>)

/** The words that a reading's pages are in. */
export const dialectOf = ({ dialect = "spec" }: { readonly dialect?: DialectName }): Dialect => dialects[dialect]
