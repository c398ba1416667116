import { Schema } from "effect"
import { changelogEntry } from "./Changelog.ts"
import type { Dialect } from "./dialects.ts"
import { Expansion } from "./Expansion.ts"
import { Game } from "./Game.ts"
import { product } from "./Product.ts"

/** The lists a game is read from. */
export const PageKind = Schema.Literals(["games", "expansions", "products", "changelog"])
export type PageKind = typeof PageKind.Type

/** The records of each list, as a dialect words them. */
export const records = (dialect: Dialect): { readonly [Kind in PageKind]: Schema.Codec<unknown, unknown> } => ({
  games: Game,
  expansions: Expansion,
  products: product(dialect),
  changelog: changelogEntry(dialect)
})
