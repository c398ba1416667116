import { type Hashed, json, list, text } from "./rowHash.ts"

/** What an expansion's row hash is made of: everything it says. No dialect has words of its own for it. */
export const expansionHash: Hashed = {
  version: 3,
  fields: {
    gameId: text,
    slug: text,
    name: text,
    code: text,
    languages: list(text),
    releaseDate: text,
    cardCount: text,
    sealedProductCount: text,
    logoUrl: text,
    symbolUrl: text,
    attributes: json,
    extra: json
  }
}
