import type { Json } from "../lake/invented.ts"
import type { Catalogue } from "./wornCatalogues.ts"

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as text that is equal for equal values: keys sorted, lists in their order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner
  )

const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Every figure of a price tree by its dotted path in the lake's words; an absent one is left out, and a percentage of the feed. */
const figures = (value: unknown, place: string): ReadonlyArray<readonly [string, string]> =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => {
        if (/^change\d+[hd]$/.test(key)) return []
        if (["byCondition", "byLanguage", "regions"].includes(key)) return figures(inner, place)
        if (key === "low" && isObject(inner)) {
          return [
            [`${place}.low`, String(inner["amount"])],
            [`${place}.currency`, String(inner["currency"])]
          ] as const
        }
        if (isObject(inner)) return figures(inner, `${place}.${key}`)
        return inner === null ? [] : [[`${place}.${snake(key)}`, String(inner)] as const]
      })
    : []

const present = (entries: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, string]> =>
  Object.entries(entries).flatMap(([field, value]) =>
    value === undefined || value === null ? [] : [[field, canonical(value)] as const]
  )

/** Keys of the records in these tests that the contract knows; the rest is `extra`. */
const known = new Set(
  [
    "id gameId game name nameSlug slug code languages productType productCategory finishes pricesByFinish prices attributes",
    "expansionId expansion externalIds imageUrl releaseDate printNumber variant rarity cardCount symbolUrl"
  ].flatMap((line) => line.split(" "))
)

const isInstant = (value: unknown): boolean => typeof value === "string" && /^\d/.test(value)

const extraOf = (record: Json): unknown => {
  const date = record["releaseDate"]
  const extra = Object.fromEntries(
    Object.entries(record).filter(
      ([key]) => !known.has(key) || (key === "releaseDate" && date !== null && !isInstant(date))
    )
  )
  return Object.keys(extra).length === 0 ? undefined : extra
}

const nonEmpty = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? undefined : value)

/** Catalogue fields and price figures of a record, absent ones left out. */
const fieldsOf = (record: Json): ReadonlyMap<string, string> => {
  const isProduct = record["productType"] !== undefined
  const scalar = Object.entries(record).filter(
    ([key]) => known.has(key) && !["id", "gameId", "game", "prices", "pricesByFinish", "releaseDate"].includes(key)
  )
  const embedded = isObject(record["expansion"]) ? record["expansion"] : {}
  const external = isObject(record["externalIds"]) ? record["externalIds"] : {}
  return new Map([
    ...present(
      Object.fromEntries(
        scalar
          .filter(([key]) => key !== "expansion" && key !== "externalIds")
          .map(([key, value]) => [snake(key), isProduct ? nonEmpty(value) : value])
      )
    ),
    ...present({
      finishes: nonEmpty(record["productType"] === "sealed" ? ["Standard"] : record["finishes"]),
      expansion_code: embedded["code"],
      expansion_name: embedded["name"],
      release_date: isInstant(record["releaseDate"]) ? record["releaseDate"] : undefined,
      extra: extraOf(record)
    }),
    ...present(
      Object.fromEntries(Object.entries(external).map(([system, ids]) => [`external_ids.${system}`, nonEmpty(ids)]))
    ),
    ...figures(record["prices"] === undefined ? record["pricesByFinish"] : { Standard: record["prices"] }, "prices")
  ])
}

/** What a deep comparison of all records finds, as sorted lines `entity id change class field`. */
export const naiveChanges = (before: Catalogue, after: Catalogue): ReadonlyArray<string> =>
  (["product", "expansion"] as const)
    .flatMap((entity) => {
      const [old, now] = [before[`${entity}s`], after[`${entity}s`]]
      return [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
        const [was, is] = [old.get(id), now.get(id)]
        if (was === undefined) return [`${entity} ${id} added catalogue`]
        if (is === undefined) return [`${entity} ${id} removed catalogue`]
        const [a, b] = [fieldsOf(was), fieldsOf(is)]
        return [...new Set([...a.keys(), ...b.keys()])]
          .filter((field) => a.get(field) !== b.get(field))
          .map((field) => `${entity} ${id} modified ${field.startsWith("prices.") ? "price" : "catalogue"} ${field}`)
      })
    })
    .sort()
