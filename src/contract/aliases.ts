/**
 * Other words for keys of the contract, by list: the alias, then the spec's word. Applied where a struct knows the
 * spec's word, not the alias, and does not carry both. Beyond the spec: section 15, rows 5 and 7.
 */
export const aliases: {
  readonly [Kind in "games" | "expansions" | "products" | "changelog"]: Readonly<Record<string, string>>
} = {
  games: {},
  expansions: {},
  products: { eur: "sourceEur", usd: "sourceUsd" },
  changelog: { productId: "id", expansionId: "id" }
}
