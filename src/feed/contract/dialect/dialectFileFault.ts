import { Schema, SchemaAST } from "effect"
import { findInside } from "../contractPaths.ts"
import type { DialectFile } from "./DialectFile.ts"
import { dialects } from "./dialects.ts"
import { FeedFiles } from "../FeedFile.ts"
import { records } from "../records.ts"

const envelope = Schema.Struct({
  data: Schema.Unknown,
  pagination: Schema.Struct({
    offset: Schema.Unknown,
    limit: Schema.Unknown,
    total: Schema.Unknown,
    hasMore: Schema.Unknown,
    nextCursor: Schema.Unknown
  })
})

const spec = records(dialects.spec)

/** The contract's schema of each list that a dialect file can name. */
const expected = {
  page: envelope,
  games: spec.games,
  products: spec.products,
  expansions: spec.expansions,
  changelog: spec.changelog,
  feeds: FeedFiles,
  "catalog lines": spec.catalog,
  "expansions lines": spec.feedExpansions,
  "prices lines": spec.prices
}

/** Returns a message if the contract does not have a path; null if it does. */
const pathFault = (root: SchemaAST.AST, path: string): string | null => {
  let at: ReadonlyArray<SchemaAST.AST> = [root]
  for (const step of path.split(".")) {
    const all = at.map(findInside).filter((one) => one !== null)
    if (all.length === 0)
      return SchemaAST.isUnknown(at[0] ?? root) ? null : `nothing is inside of what is before ${step}`
    const under = (one: (typeof all)[number]) =>
      step === "*" ? Array.from(one.values()) : [one.get(step) ?? one.get("*")].filter((found) => found !== undefined)
    const next = all.flatMap(under).flatMap(({ types }) => types)
    if (next.length === 0) {
      const keys = [...new Set(all.flatMap((one) => Array.from(one.keys())))]
      return `the contract has no ${step} there; it has ${keys.join(", ")}`
    }
    at = next
  }
  return null
}

const countStars = (path: string): number => path.split(".").filter((step) => step === "*").length

const twice = (words: ReadonlyArray<string>): string | undefined =>
  words.find((word, index) => words.indexOf(word) !== index)

/** Returns the path and the fault of a well-formed dialect file; null if it is valid. */
export const dialectFileFault = (file: DialectFile): string | null => {
  const like = dialects[file.like]
  const blocks = twice(Object.values({ ...like.blocks, ...file.blocks }))
  if (blocks !== undefined) return `blocks: two of them are called ${blocks}`
  const ids = twice(Object.values({ ...like.ids, ...file.ids }))
  if (ids !== undefined) return `ids: two of them are called ${ids}`
  for (const [list, moved = {}] of Object.entries(file.moved ?? {})) {
    for (const [to, from] of Object.entries(moved)) {
      const where = `moved: ${list}: ${to}`
      const fault = pathFault(expected[list as keyof typeof expected].ast, to)
      if (fault !== null) return `${where}: ${fault}`
      if (countStars(to) !== countStars(from)) return `${where}: ${from} has not as many *`
      if (/(?:^|\.)__proto__(?:\.|$)/.test(`${to}.${from}`)) return `${where}: __proto__ is no key`
    }
    const from = twice(Object.values(moved))
    if (from !== undefined) return `moved: ${list}: ${from} stands for two`
  }
  return null
}
