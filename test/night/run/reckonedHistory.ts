import { assert } from "@effect/vitest"
import type { Via } from "../../../src/feed/contract/Via.ts"
import { card, expansion, sealed } from "../../store/lake/invented.ts"

/** What the wire says of a product and of the list of expansions in one deployment. */
interface Fact {
  readonly name: string
  readonly rareness: string
  readonly released: string
  readonly symbol: string
  readonly french: string
  /** The name of its expansion as the product embeds it. */
  readonly embedded: string
}
export interface Wire {
  readonly expansion: string
  readonly products: Readonly<Record<number, Fact>>
}

/** Deployments that each change a fact or three, chosen by the numbers. */
export const wiresOf = (next: () => number, count: number): ReadonlyArray<Wire> => {
  const fields = ["name", "rareness", "released", "symbol", "french", "embedded"] as const
  const fact = (id: number): Fact => ({
    name: `Eel ${id}`,
    rareness: "rare",
    released: "2020",
    symbol: "s",
    french: "Anguille",
    embedded: "Marsh"
  })
  let wire: Wire = { expansion: "Marsh", products: Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [id, fact(id)])) }
  return Array.from({ length: count }, (_, place) => {
    if (place === 0) return wire
    const products = { ...wire.products }
    for (let times = 0; times < 3; times++) {
      const id = 1 + Math.floor(next() * 6)
      const field = fields[Math.floor(next() * fields.length)] ?? "name"
      const was = products[id] ?? fact(id)
      products[id] = { ...was, [field]: field === "released" ? String(2020 + place) : `${field} ${place}` }
    }
    // Whatever else moves, every deployment has a change of its own.
    const first = products[1] ?? fact(1)
    products[1] = { ...first, name: `Eel at ${place}` }
    if (next() < 0.3) delete products[6]
    wire = { expansion: next() < 0.3 ? `Marsh ${place}` : wire.expansion, products }
    return wire
  })
}

/** Products 1 and 2 are cards with a rarity elsewhere, 3 is a card, the others are sealed. The record of 99 breaks the contract. */
export const deployed = (wire: Wire) => ({
  expansions: [expansion(1, { name: wire.expansion })],
  products: [
    ...Object.entries(wire.products).map(([key, fact]) => {
      const id = Number(key)
      const embedded = { id: 1, code: "M1", name: fact.embedded, ...(id === 4 ? { symbolUrl: fact.symbol } : {}) }
      const more = { name: fact.name, expansionId: 1, expansion: embedded }
      if (id > 3) return sealed(id, { ...more, releaseDate: `${fact.released}-06-01T00:00:00.000Z` })
      const attributes = { cost: id, ...(id < 3 ? { rareness: fact.rareness } : {}) }
      return card(id, { ...more, attributes, translations: { fr: { name: fact.french } } })
    }),
    card(99, { name: 5 })
  ]
})

export interface Night {
  readonly id: string
  readonly via: Via
  readonly isMapped: boolean
  readonly place: number
}

/** A night, the one that it is compared with, and the last one by its way of reading if that is another. */
export interface Compared {
  readonly from: string
  readonly base: string | null
}

type Row = Readonly<Record<string, string | null>>
interface Change {
  readonly id: number
  readonly change: string
  readonly changed: ReadonlyArray<string> | null
}

/** A product as a night reads it: what its way of reading and its words make of the wire, by hand. */
export const rowsOf = (wire: Wire, { isMapped, via }: Night): ReadonlyMap<number, Row> =>
  new Map(
    Object.entries(wire.products).map(([key, fact]): [number, Row] => {
      const id = Number(key)
      const isRare = id < 3
      const isPages = via === "pages"
      return [
        id,
        {
          name: fact.name,
          rarity: isRare && isMapped ? fact.rareness : null,
          attributes: id > 3 ? null : isRare && !isMapped ? `${id} ${fact.rareness}` : String(id),
          release_date: isPages && id > 3 ? `${fact.released}-06-01` : null,
          expansion_symbol_url: isPages && id === 4 ? fact.symbol : null,
          expansion_name: isPages ? fact.embedded : wire.expansion,
          translations: !isPages && id <= 3 ? fact.french : null,
          // Pages have translations beyond the contract.
          extra: isPages && id <= 3 ? fact.french : null
        }
      ]
    })
  )

const ofBoth: ReadonlySet<string> = new Set(["name", "rarity", "attributes"])

/** What changed between two nights, a line for each product: its change and the fields. */
const changesOf = (
  was: ReadonlyMap<number, Row>,
  is: ReadonlyMap<number, Row>,
  base: ReadonlyMap<number, Row> | "same way of reading" | null
): ReadonlyArray<Change> =>
  [...new Set([...was.keys(), ...is.keys()])].flatMap((id): ReadonlyArray<Change> => {
    const [before, after] = [was.get(id), is.get(id)]
    if (before === undefined) return [{ id, change: "added", changed: null }]
    if (after === undefined) return [{ id, change: "removed", changed: null }]
    const earlier = (field: string) =>
      base === "same way of reading" || ofBoth.has(field) ? before[field] : (base?.get(id) ?? after)[field]
    const changed = Object.keys(after)
      .filter((field) => earlier(field) !== after[field])
      .toSorted()
    return changed.length === 0 ? [] : [{ id, change: "modified", changed }]
  })

/** The history that the nights which count must have, reckoned from the wire. */
export const reckoned = (
  chain: ReadonlyArray<Night>,
  compared: ReadonlyMap<string, Compared>,
  rows: (night: Night) => ReadonlyMap<number, Row>
) =>
  chain.map((night, index): { readonly night: Night; readonly changes: ReadonlyArray<Change> } => {
    const from = chain[index - 1]
    if (from === undefined)
      return { night, changes: [...rows(night).keys()].map((id) => ({ id, change: "added", changed: null })) }
    const known = compared.get(night.id)
    assert.strictEqual(known?.from, from.id)
    const base = chain.find(({ id }) => id === known?.base)
    const last = from.via === night.via ? "same way of reading" : base === undefined ? null : rows(base)
    return { night, changes: changesOf(rows(from), rows(night), last) }
  })
