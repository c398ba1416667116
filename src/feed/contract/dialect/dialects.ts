import type { Move } from "./moveKeys.ts"

/** The blocks of a finish's prices, by the spec's names. */
export type BlockName = "sourceEur" | "sourceUsd" | "marketplace"

/** A third party whose prices the feed repeats, by the spec's name. */
export type SourceName = Exclude<BlockName, "marketplace">

/** A system with one id of a product, by the spec's name. */
export type SingleId = "mtgId" | "mtgOracleId" | "konamiStyleId" | "lorcanaId" | "fabId" | "riftboundId"

/** What people call a source, or the marketplace itself. */
export interface KnownAs {
  readonly title: string
  /** Of its prices; null: they are in several. */
  readonly currency: string | null
  /** Its home page; null: none is known. */
  readonly url: string | null
}

export type Aliases = Readonly<Record<string, ReadonlyArray<string>>>

/**
 * How a wire names things. Schemas, key shapes and shredders take it as a value; tables, SQL and whoever asks them have
 * the spec's words alone. A page in any dialect stays on the fast way of acceptance: nothing is renamed record by record.
 */
export interface Dialect {
  readonly name: DialectName
  readonly blocks: Readonly<Record<BlockName, string>>
  /** What people call those whose prices the blocks have. */
  readonly sources: Readonly<Record<BlockName, KnownAs>>
  /** The currency of a source's block that names none; null: every block has to name its own. */
  readonly currencies: Readonly<Record<SourceName, string | null>>
  /** Keys of `externalIds`. */
  readonly ids: Readonly<Record<SourceName | SingleId, string>>
  /** The id of a changelog's item, by the list that it stands in. */
  readonly changedIds: { readonly products: string; readonly expansions: string }
  /**
   * Words that single records of a page may use instead: the alias, then the words of this dialect that it may stand
   * for. One counts where the record lacks the word; such a page is accepted record by record.
   * Beyond the spec: section 15, rows 5 and 7.
   */
  readonly aliases: { readonly products: Aliases; readonly changelog: Aliases }
  /** What is elsewhere than the contract has it, by list: it is moved record by record. Of a dialect file alone. */
  readonly moves?: { readonly [list: string]: ReadonlyArray<Move> | undefined }
  /** Records of a page to ask for, where the service gives fewer than others. Of a dialect file alone. */
  readonly pages?: { readonly offset?: number; readonly cursor?: number }
  /** The file that says so. */
  readonly file?: FileOfDialect
}

/** A dialect file: the sum of its bytes, and what it says, as `DialectFile.ts` has it. */
interface FileOfDialect {
  readonly sha256: string
  readonly content: object
}

/** The spec's own words. */
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

/** The live service's words, as it answers today. */
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

/** Every dialect, by its name: a new one is one entry. */
export const dialects = { spec, live, "live-july": july } as const satisfies Readonly<Record<string, Dialect>>
export type KnownDialect = keyof typeof dialects
/** Of a dialect file: what it is like, its name and the beginning of its sum. */
type FileDialect = `${KnownDialect}+${string}`
export type DialectName = KnownDialect | FileDialect
export const dialectNames = Object.keys(dialects) as ReadonlyArray<KnownDialect>

/** The dialect that a name is of, or that the file of that name is like: as people call what it has. */
export const likeDialect = (name: DialectName | null | undefined): Dialect => {
  const like = (name ?? "spec").split("+")[0]
  return dialects[dialectNames.find((known) => known === like) ?? "spec"]
}
