import { Effect, Schema } from "effect"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Instant } from "../../feed/contract/Catalogue.ts"
import { unpackLater } from "../../feed/guard/unpack.ts"
import { expansionShelf, textShelf, textLines, idOfLine, type TextLines } from "./textShelf.ts"
import { keepRecent } from "../answers/caches.ts"
import { type StoredGame, type Touched, type TouchedItem, type Json, readRecord, feedSlug } from "./StoredCatalogue.ts"
import { joinBelow, PathBelow } from "../../feed/guard/joinBelow.ts"
import { isDeepStrictEqual } from "node:util"

const parse = (line: Buffer): Json => JSON.parse(line.toString())

/** The key of the slug, and the keys that do not count as a catalogue change. */
interface Comparison {
  readonly slugKey: "nameSlug" | "slug"
  readonly leaveOut: ReadonlySet<string>
}

/**
 * Excludes prices, which are inside a product but are not a catalogue change. Spec: changelog; the rule of the
 * changelog counts.
 */
export const productComparison: Comparison = { slugKey: "nameSlug", leaveOut: new Set(["prices", "pricesByFinish"]) }
export const expansionComparison: Comparison = { slugKey: "slug", leaveOut: new Set() }

const without = (record: Json, keys: ReadonlySet<string>): Json =>
  keys.size === 0 ? record : Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)))

const named = (record: Json, { slugKey }: Comparison): TouchedItem => ({
  slug: String(record[slugKey] ?? ""),
  ...(slugKey === "nameSlug" ? { feedSlug: feedSlug(record) } : {})
})

/** Returns the changed item. Its id must be a number: an invalid id that is not an integer is omitted. */
const touched = (record: Json, comparison: Comparison): TouchedItem => {
  const id = String(record["id"])
  const item = named(record, comparison)
  return Number.isSafeInteger(Number(id)) ? { ...item, id } : item
}

/** Returns the changes of a first deployment: everything is added. */
export const allAdded = (lines: TextLines, comparison: Comparison): Touched => ({
  added: {
    length: lines.size,
    *[Symbol.iterator]() {
      for (let index = 0; index < lines.size; index++) yield touched(parse(lines.line(index)), comparison)
    }
  },
  modified: [],
  removed: []
})

/** Returns added, modified and removed records by id. Only lines that differ are parsed. */
export const textChanges = (before: TextLines, after: TextLines, comparison: Comparison): Touched => {
  const places = new Map(Array.from({ length: before.size }, (_, index) => [idOfLine(before.line(index)), index]))
  const added: Array<TouchedItem> = []
  const modified: Array<TouchedItem> = []
  for (let index = 0; index < after.size; index++) {
    const line = after.line(index)
    const id = idOfLine(line)
    const place = places.get(id)
    places.delete(id)
    if (place === undefined) {
      added.push(touched(parse(line), comparison))
      continue
    }
    const old = before.line(place)
    if (old.equals(line)) continue
    const record = parse(line)
    if (!isDeepStrictEqual(without(parse(old), comparison.leaveOut), without(record, comparison.leaveOut))) {
      modified.push(touched(record, comparison))
    }
  }
  const removed = Array.from(places.values(), (place) => named(parse(before.line(place)), comparison))
  return { added, modified, removed }
}

/** `odd.json` of a game: fields to add to or remove from some products, so that the contract must refuse them. */
const InvalidRecords = Schema.Struct({
  products: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      set: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
      without: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
})
type InvalidRecords = typeof InvalidRecords.Type

/** Replaces products of a deployment with their invalid versions. */
const insertInvalidRecords = (lines: TextLines, { products }: InvalidRecords): TextLines => {
  if (products.length === 0) return lines
  const invalidById = new Map(products.map((invalid) => [String(invalid.id), invalid]))
  const invalid = new Map<number, Buffer>()
  for (let index = 0; index < lines.size; index++) {
    const found = invalidById.get(idOfLine(lines.line(index)))
    if (found === undefined) continue
    const record: Json = { ...readRecord(lines.line(index)), ...found.set }
    const kept = Object.entries(record).filter(([key]) => found.without?.includes(key) !== true)
    invalid.set(index, Buffer.from(JSON.stringify(Object.fromEntries(kept))))
  }
  return { size: lines.size, line: (index) => invalid.get(index) ?? lines.line(index) }
}

/** The folder has no valid catalogue. The message names the file and the next step. */
export class CatalogueUnreadable extends Schema.TaggedError<CatalogueUnreadable>()("CatalogueUnreadable", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `Cannot serve the catalogue: ${this.path} ${this.reason}. Give a catalogue folder with games.json, for example: cardlake sandbox --catalogue data/sample`
  }
}

const Games = Schema.NonEmptyArray(
  Schema.StructWithRest(Schema.Struct({ id: PathBelow, name: Schema.String }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ])
)
const Deployments = Schema.Struct({
  deployments: Schema.NonEmptyArray(Schema.Struct({ date: PathBelow, deployedAt: Instant }))
})

const missing = (path: string) => new CatalogueUnreadable({ path, reason: "does not exist or cannot be read" })

const readJson = <A, I>(path: string, schema: Schema.ConstraintCodec<A, I>) =>
  Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: () => missing(path) }).pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(schema))),
    Effect.catchTag("SchemaError", () =>
      Effect.fail(new CatalogueUnreadable({ path, reason: "is not in the catalogue layout" }))
    )
  )

/** Maximum decompressed size of a file: twenty times the largest game. */
const maxBytes = 2 * 1024 ** 3

const readGame = Effect.fnUntraced(function* (folder: string, game: (typeof Games.Type)[number], withInvalid: boolean) {
  const home = joinBelow(folder, game.id)
  const { deployments } = yield* readJson(join(home, "deployments.json"), Deployments)
  const deploymentFile = (deployment: number, kind: "products" | "expansions") =>
    joinBelow(home, deployments[deployment]?.date ?? "", `${kind}.ndjson.gz`)
  const found = yield* Effect.forEach(
    deployments.flatMap((_, index) => [deploymentFile(index, "products"), deploymentFile(index, "expansions")]),
    (path) => Effect.tryPromise({ try: () => stat(path), catch: () => missing(path) })
  )
  const invalid = withInvalid ? yield* readJson(join(home, "odd.json"), InvalidRecords) : { products: [] }
  const loadLines = async (deployment: number, kind: "products" | "expansions") =>
    textLines(await unpackLater(await readFile(deploymentFile(deployment, kind)), maxBytes))
  // Caches two deployments: the live one, and the previous one during a comparison.
  const lines = keepRecent(2, async (deployment: number) => ({
    products: insertInvalidRecords(await loadLines(deployment, "products"), invalid),
    expansions: await loadLines(deployment, "expansions")
  }))
  const open = keepRecent(2, async (deployment: number) => {
    const { products, expansions } = await lines(deployment)
    return { products: textShelf(products), expansions: expansionShelf(expansions) }
  })
  const changes = async (deployment: number) => {
    const after = await lines(deployment)
    if (deployment === 0) {
      return {
        products: allAdded(after.products, productComparison),
        expansions: allAdded(after.expansions, expansionComparison)
      }
    }
    const before = await lines(deployment - 1)
    return {
      products: textChanges(before.products, after.products, productComparison),
      expansions: textChanges(before.expansions, after.expansions, expansionComparison)
    }
  }
  return {
    game,
    text: JSON.stringify(game),
    packedBytes: found[0]?.size ?? 0,
    deployments: deployments.map(({ date, deployedAt }) => ({ name: date, deployedAt })),
    open,
    changes
  } satisfies StoredGame
})

/**
 * Reads the games of a folder: `games.json`, `<gameId>/deployments.json`,
 * `<gameId>/<date>/{products,expansions}.ndjson.gz`. Lists are read immediately and files checked for existence; a
 * deployment is decompressed at its first request. `withInvalid` serves the invalid records of `<gameId>/odd.json`.
 */
export const readCatalogue = Effect.fnUntraced(function* (folder: string, withInvalid: boolean) {
  const games = yield* readJson(join(folder, "games.json"), Games)
  return yield* Effect.forEach(games, (game) => readGame(folder, game, withInvalid))
})
