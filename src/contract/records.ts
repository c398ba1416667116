import { ChangelogEntry } from "./Changelog.ts"
import { Expansion } from "./Expansion.ts"
import { Game } from "./Game.ts"
import { Product } from "./Product.ts"

/**
 * What the records of each list are, and other words for their keys: the alias, then the spec's word. Aliases apply
 * where a struct knows the spec's word, not the alias, and does not carry both. Beyond the spec: section 15, rows 5
 * and 7.
 */
export const records = {
  games: { record: Game, aliases: {} },
  expansions: { record: Expansion, aliases: {} },
  products: { record: Product, aliases: { eur: "sourceEur", usd: "sourceUsd" } },
  changelog: { record: ChangelogEntry, aliases: { productId: "id", expansionId: "id" } }
} as const
