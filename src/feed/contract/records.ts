import { Schema } from "effect"
import { changelogEntry } from "./Changelog.ts"
import type { Dialect } from "./dialect/dialects.ts"
import { Expansion } from "./Expansion.ts"
import { catalogLine, expansionLine, priceLine } from "./feedLines.ts"
import { Game } from "./Game.ts"
import { product } from "./Product.ts"

/** What each feed file's records are called here; pages of the same name have others. */
export const feedKinds = { catalog: "catalog", expansions: "feedExpansions", prices: "prices" } as const
export type FeedKind = (typeof feedKinds)[keyof typeof feedKinds]

/** The lists and feed files that a game is read from. */
export const PageKind = Schema.Literals([
  "games",
  "expansions",
  "products",
  "changelog",
  "catalog",
  "feedExpansions",
  "prices"
])
export type PageKind = typeof PageKind.Type

/** Whether records of a list have words that dialects have their own for, and show which one is spoken. */
export const isWordy = (kind: PageKind): boolean => kind === "products" || kind === "catalog" || kind === "prices"

/** The records of each list, as a dialect words them. */
export const records = (dialect: Dialect): { readonly [Kind in PageKind]: Schema.Codec<unknown, unknown> } => ({
  games: Game,
  expansions: Expansion,
  products: product(dialect),
  changelog: changelogEntry(dialect),
  catalog: catalogLine(dialect),
  feedExpansions: expansionLine,
  prices: priceLine(dialect)
})
