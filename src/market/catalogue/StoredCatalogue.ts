import type { KeyRule } from "../wording/renameKeys.ts"

/** A JSON object of the catalogue. */
export type Json = Readonly<Record<string, unknown>>

/** True for an object that is not an array. */
export const isPlainObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses a stored record. */
export const readRecord = (text: Uint8Array): Json => {
  const record: unknown = JSON.parse(Buffer.from(text).toString())
  return isPlainObject(record) ? record : {}
}

/**
 * The fields that filters and orders need. An invalid record (no name, an id as text) also has facts, since it is
 * served unchanged.
 */
export interface ProductFacts {
  /** The id in decimal digits: tie-break of every order and key of every look-up. */
  readonly id: string
  readonly name: string
  readonly nameSlug: string
  readonly printNumber: string
  readonly productType: string
  readonly productCategory: string
  readonly expansionId: string
  readonly expansionCode: string
  readonly releaseDate: string
  readonly sourceEur: ReadonlyArray<number>
  readonly sourceUsd: ReadonlyArray<number>
}

const parseText = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : ""

const none: ReadonlyArray<number> = []
const parseIds = (value: unknown): ReadonlyArray<number> =>
  Array.isArray(value)
    ? value.flatMap((entry: unknown) => (isPlainObject(entry) && typeof entry["id"] === "number" ? [entry["id"]] : []))
    : none

/** Extracts the facts of a product record. An absent text becomes `""`, which no filter matches. */
export const productFacts = (record: unknown): ProductFacts => {
  const product = isPlainObject(record) ? record : {}
  const external = isPlainObject(product["externalIds"]) ? product["externalIds"] : {}
  const expansion = isPlainObject(product["expansion"]) ? product["expansion"] : {}
  return {
    id: parseText(product["id"]),
    name: parseText(product["name"]),
    nameSlug: parseText(product["nameSlug"]),
    printNumber: parseText(product["printNumber"]),
    productType: parseText(product["productType"]),
    productCategory: parseText(product["productCategory"]),
    expansionId: parseText(product["expansionId"]),
    expansionCode: parseText(expansion["code"]),
    releaseDate: parseText(product["releaseDate"]),
    sourceEur: parseIds(external["sourceEur"]),
    sourceUsd: parseIds(external["sourceUsd"])
  }
}

const part = (value: unknown): string =>
  typeof value === "string"
    ? value
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "")
    : ""

/** Returns a product's slug in the live service's feed and changelog: one per printing, not used by any page. */
export const feedSlug = (product: Json): string => {
  const { expansion, nameSlug, printNumber, variant } = product
  const code = isPlainObject(expansion) ? expansion["code"] : null
  return [part(code), String(nameSlug ?? ""), part(printNumber), part(variant)].filter((text) => text !== "").join("-")
}

/** The products of one deployment as stored JSON text, in file order. */
export interface ProductShelf {
  readonly size: number
  /** The record's JSON text in UTF-8, served without re-encoding. */
  readonly text: (index: number) => Uint8Array
  /** The text with keys renamed by the rule; unchanged if the rule is null. */
  readonly worded: (index: number, rule: KeyRule | null) => Uint8Array
  readonly facts: (index: number) => ProductFacts
  readonly id: (index: number) => number
  /**
   * True if the live blocks are certain to be correct and equal to those of another deployment. If absent, texts are
   * compared.
   */
  readonly hasBlocksOf?: (index: number, deployment: number) => boolean
  /** Index of the product with this id (decimal digits); undefined if the deployment lacks it. */
  readonly find: (id: string) => number | undefined
  /** True if the file is already in name order and needs no sorting. */
  readonly inNameOrder: boolean
}

/** An expansion: its stored text, and the fields for listing and finding it. */
export interface StoredExpansion {
  readonly id: string
  readonly slug: string
  readonly releaseDate: string
  readonly text: Uint8Array
}

/** The contents of a game while one of its deployments is live. */
export interface StoredDeployment {
  readonly products: ProductShelf
  /** Expansions, newest release first. Beyond the spec: section 5. */
  readonly expansions: ReadonlyArray<StoredExpansion>
}

const largestInt32 = 2 ** 31 - 1

/** True if every id fits into 32 bits, as some generated clients and databases expect. */
export const hasSmallIds = ({ expansions, products }: StoredDeployment): boolean => {
  for (let index = 0; index < products.size; index++) if (products.id(index) > largestInt32) return false
  return expansions.every(({ id }) => Number(id) <= largestInt32)
}

/** An item that a deployment changed. `id` is absent on a removed item. Spec: changelog, `includeChanges`. */
export interface TouchedItem {
  readonly slug: string
  /** A product's slug in the live service's feeds. Absent for expansions, which have only one slug. */
  readonly feedSlug?: string
  readonly id?: string
}

/** A sequence of known length: a list, or items generated during iteration. */
export interface TouchedItems extends Iterable<TouchedItem> {
  readonly length: number
}

export interface Touched {
  readonly added: TouchedItems
  readonly modified: TouchedItems
  readonly removed: TouchedItems
}

/** Catalogue changes of a deployment relative to the previous one. Price changes do not count. */
export interface DeploymentChanges {
  readonly products: Touched
  readonly expansions: Touched
}

/** A game with its deployments, oldest first. Deployments are loaded and compared only on demand. */
export interface StoredGame {
  readonly game: { readonly id: string; readonly name: string }
  /** The game's record as `GET /v1/games` returns it. */
  readonly text: string
  /** True if live blocks are generated consistently and need no check. */
  readonly blocksAgree?: boolean
  /** Bytes to decompress to open a deployment; absent if there are none. */
  readonly packedBytes?: number
  readonly deployments: ReadonlyArray<{ readonly name: string; readonly deployedAt: string }>
  readonly open: (deployment: number) => Promise<StoredDeployment>
  /** Prices of every day, deployed or not, from a day on; absent if only deployments have prices. */
  readonly daily?: { readonly from: string; readonly productsOn: (day: string) => Promise<(id: string) => Json> }
  /** Changes of a deployment relative to the previous one. The first one adds everything. */
  readonly changes: (deployment: number) => Promise<DeploymentChanges>
}
