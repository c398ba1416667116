import type { Dialect } from "../contract/dialects.ts"
import { fields, type Hashed, json, list, text } from "./rowHash.ts"

export const finishIds = list(fields({ finish: text, id: text }))

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
    externalIds: fields(
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
    ),
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
