import type { KeyRule } from "../wording/renameKeys.ts"

/** An object as a record of the catalogue has it. */
export type Json = Readonly<Record<string, unknown>>

/** Not an array, either. */
export const isPlainObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The record that a stored text holds. */
export const readRecord = (text: Uint8Array): Json => {
  const record: unknown = JSON.parse(Buffer.from(text).toString())
  return isPlainObject(record) ? record : {}
}

/**
 * What filters and orders need of a product. An odd record (no
 * name, an id as text) still has facts: it is served as it is.
 */
export interface ProductFacts {
  /** The id in decimal digits: the tie-break of every order and the key of every look-up. */
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

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : ""

const none: ReadonlyArray<number> = []
const idsOf = (value: unknown): ReadonlyArray<number> =>
  Array.isArray(value)
    ? value.flatMap((entry: unknown) => (isPlainObject(entry) && typeof entry["id"] === "number" ? [entry["id"]] : []))
    : none

/** Facts of one product record. An absent text is `""`, which no filter matches. */
export const productFacts = (record: unknown): ProductFacts => {
  const product = isPlainObject(record) ? record : {}
  const external = isPlainObject(product["externalIds"]) ? product["externalIds"] : {}
  const expansion = isPlainObject(product["expansion"]) ? product["expansion"] : {}
  return {
    id: textOf(product["id"]),
    name: textOf(product["name"]),
    nameSlug: textOf(product["nameSlug"]),
    printNumber: textOf(product["printNumber"]),
    productType: textOf(product["productType"]),
    productCategory: textOf(product["productCategory"]),
    expansionId: textOf(product["expansionId"]),
    expansionCode: textOf(expansion["code"]),
    releaseDate: textOf(product["releaseDate"]),
    sourceEur: idsOf(external["sourceEur"]),
    sourceUsd: idsOf(external["sourceUsd"])
  }
}

const part = (value: unknown): string =>
  typeof value === "string"
    ? value
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "")
    : ""

/** What the live service's feed and changelog call a product: one name for each printing, which no page has. */
export const feedSlug = (product: Json): string => {
  const { expansion, nameSlug, printNumber, variant } = product
  const code = isPlainObject(expansion) ? expansion["code"] : null
  return [part(code), String(nameSlug ?? ""), part(printNumber), part(variant)].filter((text) => text !== "").join("-")
}

/** The products of one deployment as their stored JSON text, in the order of the file. */
export interface ProductShelf {
  readonly size: number
  /** The record's JSON text, UTF-8. It is served as it is, never encoded again. */
  readonly text: (index: number) => Uint8Array
  /** The same with other keys; no rule: as it is stored. */
  readonly worded: (index: number, rule: KeyRule | null) => Uint8Array
  readonly facts: (index: number) => ProductFacts
  readonly id: (index: number) => number
  /** True if the live blocks are surely right, and those of another deployment; without it, texts are compared. */
  readonly hasBlocksOf?: (index: number, deployment: number) => boolean
  /** Index of the product with this id (decimal digits), if it is in the deployment. */
  readonly find: (id: string) => number | undefined
  /** True if the file is already in the order by name, so that nothing needs sorting. */
  readonly inNameOrder: boolean
}

/** One expansion: its stored text and what listing and finding it need. */
export interface StoredExpansion {
  readonly id: string
  readonly slug: string
  readonly releaseDate: string
  readonly text: Uint8Array
}

/** Everything a game shows while one of its deployments is live. */
export interface StoredDeployment {
  readonly products: ProductShelf
  /** Newest release first. Beyond the spec: section 5. */
  readonly expansions: ReadonlyArray<StoredExpansion>
}

/** What a deployment says it touched; `id` is absent on a removed item. Spec: changelog, `includeChanges`. */
export interface TouchedItem {
  readonly slug: string
  /** A product's slug in the live service's feeds; absent: an expansion, which has one slug. */
  readonly feedSlug?: string
  readonly id?: string
}

/** A sequence of known length: a list, or items generated while they are read. */
export interface TouchedItems extends Iterable<TouchedItem> {
  readonly length: number
}

export interface Touched {
  readonly added: TouchedItems
  readonly modified: TouchedItems
  readonly removed: TouchedItems
}

/** The catalogue changes of one deployment against the one before it; prices do not count. */
export interface DeploymentChanges {
  readonly products: Touched
  readonly expansions: Touched
}

/** A game with its deployments, oldest first. Opening and comparing load files, so both are done when asked for. */
export interface StoredGame {
  readonly game: { readonly id: string; readonly name: string }
  /** The game's record as `GET /v1/games` shows it. */
  readonly text: string
  /** True if live blocks were made to agree with themselves, so that none has to be checked. */
  readonly blocksAgree?: boolean
  /** How much of a file has to be unpacked to open a deployment; absent: nothing. */
  readonly packedBytes?: number
  readonly deployments: ReadonlyArray<{ readonly name: string; readonly deployedAt: string }>
  readonly open: (deployment: number) => Promise<StoredDeployment>
  /** Changes of a deployment against the one before; of the first one, everything is added. */
  readonly changes: (deployment: number) => Promise<DeploymentChanges>
}
