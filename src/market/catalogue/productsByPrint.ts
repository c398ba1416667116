import { Effect } from "effect"
import { openLive, LiveCatalogue } from "./LiveCatalogue.ts"
import type { LiveGame } from "./LiveGame.ts"
import type { StoredDeployment } from "./StoredCatalogue.ts"

/** What is printed on a card, and on the box that it came in: a game, one of its expansions, and a number there. */
export interface PrintedName {
  readonly productLine: string
  readonly setName: string
  readonly number: string
}

/** The product of a printed name, or why there is none. */
export type Printed = { readonly productId: string } | { readonly missing: string }

/** `044/200`, `044` and `44` are one number. */
const numberKey = (number: string): string => {
  const [ofSet = ""] = number.toLowerCase().split("/")
  return ofSet.trim().replace(/^0+(?=\d)/, "")
}
const nameKey = (name: string): string => name.trim().toLowerCase()
const placeKey = (setName: string, number: string): string => JSON.stringify([nameKey(setName), numberKey(number)])

type Index = ReadonlyMap<string, ReadonlyArray<string>>

/** Made once per deployment, when the first name is looked up. */
const indexes = new WeakMap<StoredDeployment, Index>()

const indexOf = (deployment: StoredDeployment): Index => {
  const known = indexes.get(deployment)
  if (known !== undefined) return known
  const names = new Map(
    deployment.expansions.map(({ id, text }) => [id, String(JSON.parse(Buffer.from(text).toString()).name ?? "")])
  )
  const made = new Map<string, Array<string>>()
  const { products } = deployment
  for (let at = 0; at < products.size; at++) {
    const { expansionId, id, printNumber } = products.facts(at)
    const setName = names.get(expansionId)
    if (setName === undefined || printNumber === "") continue
    const key = placeKey(setName, printNumber)
    const found = made.get(key)
    if (found === undefined) made.set(key, [id])
    else found.push(id)
  }
  indexes.set(deployment, made)
  return made
}

const isLine = ({ stored: { game } }: LiveGame, productLine: string): boolean =>
  nameKey(game.name) === nameKey(productLine) || game.id === nameKey(productLine)

/** The live products of printed names, in the same order. A name that is several products' is nobody's. */
export const productsByPrint = Effect.fnUntraced(function* (names: ReadonlyArray<PrintedName>) {
  const { games } = yield* LiveCatalogue
  const indexOfLine = new Map<string, Index>()
  for (const productLine of new Set(names.map((name) => name.productLine))) {
    const game = [...games.values()].find((each) => isLine(each, productLine))
    if (game !== undefined) indexOfLine.set(productLine, indexOf(yield* openLive(game)))
  }
  return names.map(({ number, productLine, setName }): Printed => {
    const [productId, ...others] = indexOfLine.get(productLine)?.get(placeKey(setName, number)) ?? []
    const asked = `number ${number} of ${setName} in ${productLine}`
    if (productId === undefined) return { missing: `no product is ${asked}` }
    return others.length === 0 ? { productId } : { missing: `${others.length + 1} products are ${asked}` }
  })
})
