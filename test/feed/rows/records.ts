type Fields = Readonly<Record<string, unknown>>

const common = (id: number): Fields => ({
  id,
  gameId: "fable",
  game: { id: "fable", name: "Fable" },
  name: `Product ${id}`,
  nameSlug: `product-${id}`,
  languages: ["en"]
})

/** A card that the contract accepts, with the given fields on top. */
export const card = (id: number, fields: Fields = {}): Fields => ({
  ...common(id),
  productType: "card",
  finishes: ["Foil"],
  pricesByFinish: {},
  attributes: {},
  ...fields
})

/** A sealed product that the contract accepts, with the given fields on top. */
export const sealed = (id: number, fields: Fields = {}): Fields => ({
  ...common(id),
  productType: "sealed",
  productCategory: "booster_box",
  prices: {},
  ...fields
})

/** An expansion that the contract accepts. */
export const expansion = (id: number): Fields => ({ id, gameId: "fable", name: `Expansion ${id}`, code: null })
