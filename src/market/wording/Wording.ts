import { factOfRequest } from "../limits/factOfRequest.ts"
import {
  type BlockName,
  type Dialect,
  type KnownDialect,
  dialects,
  type SourceName
} from "../../feed/contract/dialect/dialects.ts"
import type { KeyRule } from "./renameKeys.ts"

/** Words to replace in both directions. Each side does not know the other's word. */
export type Swap = ReadonlyMap<string, string>

/** The words and rules of one dialect. Catalogues are stored in the spec's words. */
export interface Wording {
  readonly name: KnownDialect
  /** Key renaming of products; null for none. */
  readonly product: KeyRule | null
  /** Key renaming of a product's prices; null for none. */
  readonly prices: KeyRule | null
  /** Key renaming of feed lines; null for none. */
  readonly feeds: KeyRule | null
  /** The id of a changelog item; null if items have only slugs. */
  readonly changedIds: Dialect["changedIds"] | null
  /** True if changelog and feed files use a product slug that differs from that of pages. */
  readonly hasFeedSlugs: boolean
  /** True if a changelog item has an id only while it exists, even in earlier entries. */
  readonly onlyPresentIds: boolean
  /** Words of requests: search filters and price sources. Null for those of the spec. */
  readonly words: { readonly filters: Swap; readonly sources: Swap } | null
  /** The marketplace's name in error codes. */
  readonly service: string
}

/** Differences of a live dialect outside of records. */
interface Manners {
  /** Blocks that product pages omit. */
  readonly without: ReadonlyArray<BlockName>
  readonly hasChangedIds: boolean
  /** The dialect of a product's own prices, of feed files, of filters and of price sources. */
  readonly prices: Dialect
}

const renames = (names: Readonly<Record<string, string>>) =>
  new Map(Object.entries(names).filter(([ours, theirs]) => ours !== theirs))

const blocksRule = ({ blocks, currencies }: Dialect, without: ReadonlyArray<BlockName>): KeyRule => ({
  names: renames(blocks),
  omit: new Map(without.map((block) => [block, null])),
  inside: new Map(
    Object.entries(currencies).flatMap(([source, currency]) =>
      currency === null ? [] : [[source, { omit: new Map([["currency", JSON.stringify(currency)]]) }]]
    )
  )
})

const productRule = (dialect: Dialect, without: ReadonlyArray<BlockName>): KeyRule => {
  const blocks = blocksRule(dialect, without)
  return {
    inside: new Map([
      ["prices", blocks],
      ["pricesByFinish", { each: blocks }],
      ["externalIds", { names: renames(dialect.ids) }]
    ])
  }
}

const makeSwap = (theirs: (source: SourceName) => string): Swap =>
  new Map(
    (["sourceEur", "sourceUsd"] as const).flatMap((source) => [
      [source, theirs(source)],
      [theirs(source), source]
    ])
  )

const liveWording = (name: KnownDialect, { hasChangedIds, prices, without }: Manners): Wording => {
  const dialect = dialects[name]
  return {
    name,
    product: productRule(dialect, without),
    prices: productRule(prices, []),
    feeds: productRule(prices, []),
    changedIds: hasChangedIds ? dialect.changedIds : null,
    service: dialect.sources.marketplace.title.toUpperCase(),
    hasFeedSlugs: true,
    onlyPresentIds: true,
    words: {
      filters: makeSwap((source) => `${prices.blocks[source]}Id`),
      sources: makeSwap((source) => prices.blocks[source])
    }
  }
}

const { live, spec } = dialects

/** The wording of every dialect. */
export const wordings: Readonly<Record<KnownDialect, Wording>> = {
  spec: {
    name: "spec",
    product: null,
    prices: null,
    feeds: null,
    changedIds: spec.changedIds,
    service: spec.sources.marketplace.title.toUpperCase(),
    hasFeedSlugs: false,
    onlyPresentIds: false,
    words: null
  },
  live: liveWording("live", { without: [], hasChangedIds: true, prices: live }),
  "live-july": liveWording("live-july", { without: ["marketplace"], hasChangedIds: false, prices: live })
}

/** The current dialect. A control route or a fault changes it. */
export interface CurrentDialect {
  wording: Wording
}

/** The wording of one request's answer. It is fixed when the request arrives. */
export const Words = factOfRequest(wordings.spec)
