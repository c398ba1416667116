import type { Move } from "./moveKeys.ts"

/** The blocks of a finish's prices, by the spec's names. */
export type BlockName = "sourceEur" | "sourceUsd" | "marketplace"

/** A third party whose prices the feed repeats, by the spec's name. */
export type SourceName = Exclude<BlockName, "marketplace">

/** A system with one id of a product, by the spec's name. */
export type SingleId = "mtgId" | "mtgOracleId" | "konamiStyleId" | "lorcanaId" | "fabId" | "riftboundId"

/** The public name of a source, or of the marketplace itself. */
export interface KnownAs {
  readonly title: string
  /** The currency of its prices; null if there are several. */
  readonly currency: string | null
  /** Its home page; null if unknown. */
  readonly url: string | null
}

export type Aliases = Readonly<Record<string, ReadonlyArray<string>>>

/**
 * The names that a marketplace uses in its documents. Schemas, key shapes and shredders take them as a value; tables and
 * SQL only have the spec's names. No dialect slows acceptance, because records are not renamed one by one.
 */
export interface Dialect {
  readonly name: DialectName
  readonly blocks: Readonly<Record<BlockName, string>>
  /** The public names of the sources of the price blocks. */
  readonly sources: Readonly<Record<BlockName, KnownAs>>
  /** The currency of a source's blocks that name none; null if every block must name one. */
  readonly currencies: Readonly<Record<SourceName, string | null>>
  /** Keys of `externalIds`. */
  readonly ids: Readonly<Record<SourceName | SingleId, string>>
  /** The id key of a changelog's item, by list. */
  readonly changedIds: { readonly products: string; readonly expansions: string }
  /**
   * Aliases that single records may use: the alias, then the names of this dialect that it may replace. An alias counts
   * if the record lacks the name. Such a page is accepted record by record.
   * Beyond the spec: section 15, rows 5 and 7.
   */
  readonly aliases: { readonly products: Aliases; readonly changelog: Aliases }
  /** The moved keys by list. Each record is rewritten. Only a dialect file has them. */
  readonly moves?: { readonly [list: string]: ReadonlyArray<Move> | undefined }
  /** The page size to request if the service gives fewer records than others. Only a dialect file has it. */
  readonly pages?: { readonly offset?: number; readonly cursor?: number }
  /** The dialect file; null for a built-in dialect. */
  readonly file?: FileOfDialect
}

/** A dialect file: the checksum of its bytes, and its content as in `DialectFile.ts`. */
interface FileOfDialect {
  readonly sha256: string
  readonly content: object
}

const spec: Dialect = {
  name: "spec",
  blocks: { sourceEur: "sourceEur", sourceUsd: "sourceUsd", marketplace: "marketplace" },
  sources: {
    sourceEur: { title: "Source EUR", currency: "EUR", url: null },
    sourceUsd: { title: "Source USD", currency: "USD", url: null },
    marketplace: { title: "Marketplace", currency: null, url: null }
  },
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
  aliases: { products: {}, changelog: { productId: ["id"], expansionId: ["id"] } }
}

const live: Dialect = {
  name: "live",
  blocks: { sourceEur: "cardmarket", sourceUsd: "tcgplayer", marketplace: "cardnexus" },
  sources: {
    sourceEur: { title: "Cardmarket", currency: "EUR", url: "https://www.cardmarket.com" },
    sourceUsd: { title: "TCGplayer", currency: "USD", url: "https://www.tcgplayer.com" },
    marketplace: { title: "CardNexus", currency: null, url: "https://cardnexus.com" }
  },
  currencies: { sourceEur: null, sourceUsd: null },
  ids: {
    sourceEur: "cardmarket",
    sourceUsd: "tcgplayer",
    mtgId: "scryfallId",
    mtgOracleId: "scryfallOracleId",
    konamiStyleId: "konamiId",
    lorcanaId: "dreambornId",
    fabId: "fabId",
    riftboundId: "riotId"
  },
  changedIds: { products: "productId", expansions: "expansionId" },
  aliases: { products: {}, changelog: { id: ["productId", "expansionId"] } }
}

/** The live service's pages of July: no block names its currency, and ids may be under today's names. */
const july: Dialect = {
  ...live,
  name: "live-july",
  blocks: { ...live.blocks, sourceEur: "eur", sourceUsd: "usd" },
  currencies: { sourceEur: "EUR", sourceUsd: "USD" },
  ids: { ...live.ids, sourceEur: "eur", sourceUsd: "usd" },
  aliases: { ...live.aliases, products: { cardmarket: ["eur"], tcgplayer: ["usd"] } }
}

/** All built-in dialects by name. A new one is one entry. */
export const dialects = { spec, live, "live-july": july } as const satisfies Readonly<Record<string, Dialect>>
export type KnownDialect = keyof typeof dialects
/** The name of a dialect file's dialect: its base, its name and the start of its checksum. */
type FileDialect = `${KnownDialect}+${string}`
export type DialectName = KnownDialect | FileDialect
export const dialectNames = Object.keys(dialects) as ReadonlyArray<KnownDialect>

/** Returns the built-in dialect of a name, or the base dialect of a dialect file's name. */
export const likeDialect = (name: DialectName | null | undefined): Dialect => {
  const like = (name ?? "spec").split("+")[0]
  return dialects[dialectNames.find((known) => known === like) ?? "spec"]
}
