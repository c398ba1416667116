import { factOfRequest } from "../limits/factOfRequest.ts"
import {
  type BlockName,
  type Dialect,
  type KnownDialect,
  dialects,
  type SourceName
} from "../../feed/contract/dialect/dialects.ts"
import type { KeyRule } from "./renameKeys.ts"

/** Two words that stand for each other, in both directions: what one side says, the other one does not know. */
export type Swap = ReadonlyMap<string, string>

/** What the marketplace says, and understands, in one dialect. Catalogues are stored in the spec's words. */
export interface Wording {
  readonly name: KnownDialect
  /** How a stored product is written; null: as it is stored. */
  readonly product: KeyRule | null
  /** The same of a product's own prices. */
  readonly prices: KeyRule | null
  /** The same of a line of a feed file. */
  readonly feeds: KeyRule | null
  /** The id of a changelog's item; null: items have only slugs. */
  readonly changedIds: Dialect["changedIds"] | null
  /** Changelog and feed files call a product by a slug that no page has; else by its own. */
  readonly hasFeedSlugs: boolean
  /** An item that is gone when the changelog is read has no id, not even in entries from before. */
  readonly onlyPresentIds: boolean
  /** Words of requests: filters of the search, and price sources. Null: those of the spec, in its manner. */
  readonly asked: { readonly filters: Swap; readonly sources: Swap } | null
  /** The marketplace's own name in codes of errors. */
  readonly service: string
}

/** What a dialect of the live service says elsewhere than in records, or not at all. */
interface Manners {
  /** Blocks that pages of products do not have. */
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

const swapOf = (theirs: (source: SourceName) => string): Swap =>
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
    asked: {
      filters: swapOf((source) => `${prices.blocks[source]}Id`),
      sources: swapOf((source) => prices.blocks[source])
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
    asked: null
  },
  live: liveWording("live", { without: [], hasChangedIds: true, prices: live }),
  "live-july": liveWording("live-july", { without: ["marketplace"], hasChangedIds: false, prices: live })
}

/** How the marketplace words things at the moment; a control route changes it, and so does a fault. */
export interface Spoken {
  wording: Wording
}

/** The wording of the answer to one request: it does not change on the way. */
export const Words = factOfRequest(wordings.spec)
