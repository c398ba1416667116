import { Schema } from "effect"
import { ChangelogEntry } from "./Changelog.ts"
import { Expansion } from "./Expansion.ts"
import { Game } from "./Game.ts"
import { Product } from "./Product.ts"

/**
 * The records of each list, and other names of their keys: the alias, then the spec's word. An alias
 * counts if the struct knows only the spec's word and the record lacks it. Beyond the spec: section 15, rows 5 and 7.
 */
export const records = {
  games: { record: Game, aliases: {} },
  expansions: { record: Expansion, aliases: {} },
  products: { record: Product, aliases: { eur: "sourceEur", usd: "sourceUsd" } },
  changelog: { record: ChangelogEntry, aliases: { productId: "id", expansionId: "id" } }
} as const

/** The lists a game is read from. */
export const PageKind = Schema.Literals(Object.keys(records) as ReadonlyArray<keyof typeof records>)
export type PageKind = typeof PageKind.Type
