import { isPlainObject, type Json } from "./Json.ts"

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
