import type { Dialect } from "../contract/dialects.ts"
import { fields, type Hashed, json, list, text } from "./rowHash.ts"

const finishIds = list(fields({ finish: text, id: text }))

/** Ids in other systems, under the words of a dialect. */
export const idFields = (ids: Dialect["ids"]) =>
  fields(
    {
      sourceEur: finishIds,
      sourceUsd: finishIds,
      mtgId: text,
      mtgOracleId: text,
      konamiStyleId: text,
      lorcanaId: text,
      fabId: text,
      riftboundId: text
    },
    ids
  )

/** What a product's row hash is made of: everything but prices, in every dialect the same. */
export const productHash = ({ ids }: Dialect): Hashed => ({
  version: 2,
  fields: {
    productType: text,
    productCategory: text,
    name: text,
    nameSlug: text,
    languages: list(text),
    finishes: list(text),
    expansionId: text,
    expansion: fields({ id: text, code: text, name: text, symbolUrl: text }),
    externalIds: idFields(ids),
    printNumber: text,
    variant: text,
    rarity: text,
    imageUrl: text,
    imageBackUrl: text,
    releaseDate: text,
    attributes: json,
    extra: json,
    availability: json
  }
})
