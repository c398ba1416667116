import { isPlainObject, type Json, readRecord, type ProductShelf, type StoredDeployment } from "./StoredCatalogue.ts"
import { Effect } from "effect"
import { LiveCatalogue, openLive } from "./LiveCatalogue.ts"
import type { LiveGame } from "./LiveGame.ts"

/** The product and finish that an id of a price source identifies. */
export interface SourceProduct {
  readonly productId: string
  readonly record: Json
  readonly finish: string
}

type Source = "sourceEur" | "sourceUsd"
type SourceIndex = ReadonlyMap<number, number>

/** Indexes by shelf, built at the first look-up of a source id. */
const sourceIndexes = new WeakMap<ProductShelf, Record<Source, SourceIndex>>()

const getSourceIndex = (shelf: ProductShelf): Record<Source, SourceIndex> => {
  const known = sourceIndexes.get(shelf)
  if (known !== undefined) return known
  const made = { sourceEur: new Map<number, number>(), sourceUsd: new Map<number, number>() }
  for (let at = 0; at < shelf.size; at++) {
    const facts = shelf.facts(at)
    for (const source of ["sourceEur", "sourceUsd"] as const) {
      for (const id of facts[source]) if (!made[source].has(id)) made[source].set(id, at)
    }
  }
  sourceIndexes.set(shelf, made)
  return made
}

const findFinish = ({ externalIds }: Json, source: Source, id: number): string => {
  const entries = isPlainObject(externalIds) ? externalIds[source] : undefined
  const entry: unknown = Array.isArray(entries)
    ? entries.find((one: unknown) => isPlainObject(one) && one["id"] === id)
    : undefined
  return isPlainObject(entry) && "finish" in entry ? String(entry["finish"]) : "Standard"
}

/**
 * Looks up ids of a price source in the live catalogue. Each has at most one product and finish; unknown ids are
 * absent.
 */
export const productsBySource = Effect.fnUntraced(function* (source: Source, ids: Iterable<number>) {
  const { games } = yield* LiveCatalogue
  const shelves = (yield* Effect.forEach(games.values(), openLive)).map(({ products }) => products)
  const found = new Map<number, SourceProduct>()
  for (const id of new Set(ids)) {
    for (const shelf of shelves) {
      const at = getSourceIndex(shelf)[source].get(id)
      if (at === undefined) continue
      const record = readRecord(shelf.text(at))
      found.set(id, { productId: shelf.facts(at).id, record, finish: findFinish(record, source, id) })
      break
    }
  }
  return found as ReadonlyMap<number, SourceProduct>
})

/** Printed identification of a card, or of its box: a game, one of its expansions, and a number. */
export interface PrintedName {
  readonly productLine: string
  readonly setName: string
  readonly number: string
}

/** The product of a printed name, or the reason why there is none. */
export type Printed = { readonly productId: string } | { readonly missing: string }

/** Normalizes a print number: `044/200`, `044` and `44` are equal. */
const numberKey = (number: string): string => {
  const [ofSet = ""] = number.toLowerCase().split("/")
  return ofSet.trim().replace(/^0+(?=\d)/, "")
}
const nameKey = (name: string): string => name.trim().toLowerCase()
const placeKey = (setName: string, number: string): string => JSON.stringify([nameKey(setName), numberKey(number)])

type PrintIndex = ReadonlyMap<string, ReadonlyArray<string>>

/** Indexes by deployment, built at the first look-up of a printed name. */
const printIndexes = new WeakMap<StoredDeployment, PrintIndex>()

const getPrintIndex = (deployment: StoredDeployment): PrintIndex => {
  const known = printIndexes.get(deployment)
  if (known !== undefined) return known
  const names = new Map(
    deployment.expansions.map(({ id, text }) => [id, String(JSON.parse(Buffer.from(text).toString()).name ?? "")])
  )
  const made = new Map<string, Array<string>>()
  const { products } = deployment
  for (let at = 0; at < products.size; at++) {
    const { expansionId, id, printNumber } = products.facts(at)
    const setName = names.get(expansionId)
    if (setName === undefined || printNumber === "") continue
    const key = placeKey(setName, printNumber)
    const found = made.get(key)
    if (found === undefined) made.set(key, [id])
    else found.push(id)
  }
  printIndexes.set(deployment, made)
  return made
}

const isLine = ({ stored: { game } }: LiveGame, productLine: string): boolean =>
  nameKey(game.name) === nameKey(productLine) || game.id === nameKey(productLine)

/** Finds the live products of printed names, in the same order. An ambiguous name has no product. */
export const productsByPrint = Effect.fnUntraced(function* (names: ReadonlyArray<PrintedName>) {
  const { games } = yield* LiveCatalogue
  const indexOfLine = new Map<string, PrintIndex>()
  for (const productLine of new Set(names.map((name) => name.productLine))) {
    const game = [...games.values()].find((each) => isLine(each, productLine))
    if (game !== undefined) indexOfLine.set(productLine, getPrintIndex(yield* openLive(game)))
  }
  return names.map(({ number, productLine, setName }): Printed => {
    const [productId, ...others] = indexOfLine.get(productLine)?.get(placeKey(setName, number)) ?? []
    const wanted = `number ${number} of ${setName} in ${productLine}`
    if (productId === undefined) return { missing: `no product is ${wanted}` }
    return others.length === 0 ? { productId } : { missing: `${others.length + 1} products are ${wanted}` }
  })
})
