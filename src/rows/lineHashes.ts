import type { Dialect } from "../contract/dialects.ts"
import { idFields } from "./productHash.ts"
import { type Hashed, json, list, text } from "./rowHash.ts"

/** What the row hash of a catalogue's line is made of; the load adds its expansion. It is another one than a page's. */
export const catalogHash = ({ ids }: Dialect): Hashed => ({
  version: 4,
  fields: {
    productType: text,
    productCategory: text,
    name: text,
    nameSlug: text,
    slug: text,
    languages: list(text),
    finishes: list(text),
    expansionId: text,
    externalIds: idFields(ids),
    printNumber: text,
    variant: text,
    rarity: text,
    imageUrl: text,
    imageBackUrl: text,
    translations: json,
    attributes: json,
    extra: json
  }
})

/** The same of a line of the expansions' file. */
export const expansionLineHash: Hashed = {
  version: 4,
  fields: {
    slug: text,
    name: text,
    code: text,
    releaseDate: text,
    cardCount: text,
    sealedProductCount: text,
    attributes: json,
    extra: json
  }
}
