import { renameKeys } from "../../src/market/wording/renameKeys.ts"
import { expansionShelf, textLines } from "../../src/market/catalogue/textShelf.ts"
import {
  feedSlug,
  type ProductShelf,
  type StoredDeployment,
  type StoredGame,
  type TouchedItem,
  type TouchedItems
} from "../../src/market/catalogue/StoredCatalogue.ts"
import { keepRecent } from "../../src/market/answers/caches.ts"
import {
  numberOfSyntheticId,
  productsPerExpansion,
  syntheticExpansionId,
  syntheticFacts,
  syntheticId,
  syntheticProduct
} from "./syntheticProduct.ts"

const syntheticDeployments = 3

/** Ascending numbers of known count. */
interface NumberRange extends Iterable<number> {
  readonly length: number
}

/** The history of products over deployments. Products are numbered from 0 within a game. */
interface SyntheticSteps {
  /** Product numbers of a deployment, ascending. */
  readonly numbers: (deployment: number) => Uint32Array
  /** One more than the last product number of a deployment. */
  readonly end: (deployment: number) => number
  readonly added: (deployment: number) => NumberRange
  readonly removed: (deployment: number) => NumberRange
  /** Products with changed catalogue fields; price-only changes are excluded. */
  readonly modified: (deployment: number) => NumberRange
  /** How often a product's catalogue fields and prices changed up to a deployment. */
  readonly versions: (number: number, deployment: number) => { readonly catalogue: number; readonly price: number }
}

/** Lazily generates the numbers `from`, `from + step`, … below `to`. */
const range = (from: number, to: number, step: number): NumberRange => ({
  length: Math.max(0, Math.ceil((to - from) / step)),
  *[Symbol.iterator]() {
    for (let number = from; number < to; number += step) yield number
  }
})

const empty = range(0, 0, 1)

// At each step, one product in a hundred is removed and five change, half of these in catalogue fields.
const leavesAt = (deployment: number) => 10 * deployment + 7
const changesAt = (deployment: number) => 5 * deployment - 2

/** Returns the steps of a game that starts with `size` products. Each step adds 1 %, removes 1 % and modifies 5 %. */
const syntheticSteps = (size: number): SyntheticSteps => {
  const growth = Math.floor(size / 100)
  const end = (deployment: number) => size + deployment * growth
  const added = (deployment: number) =>
    deployment === 0 ? range(0, size, 1) : range(end(deployment - 1), end(deployment), 1)
  const removed = (deployment: number) => (deployment === 0 ? empty : range(leavesAt(deployment), size, 100))
  const modified = (deployment: number) => (deployment === 0 ? empty : range(changesAt(deployment), size, 40))
  const changedAt = (number: number, deployment: number): "catalogue" | "price" | undefined =>
    number >= size || number % 20 !== changesAt(deployment) ? undefined : number % 40 < 20 ? "catalogue" : "price"
  const numbers = (deployment: number) => {
    const removedNumbers = new Set(Array.from(range(1, deployment + 1, 1), leavesAt))
    const last = end(deployment)
    const left = new Uint32Array(last)
    let count = 0
    for (let number = 0; number < last; number++) {
      if (number < size && removedNumbers.has(number % 100)) continue
      left[count++] = number
    }
    return left.subarray(0, count)
  }
  const versions = (number: number, deployment: number) => {
    const counted = { catalogue: 0, price: 0 }
    for (let step = 1; step <= deployment; step++) {
      const changed = changedAt(number, step)
      if (changed !== undefined) counted[changed]++
    }
    return counted
  }
  return { numbers, end, added, removed, modified, versions }
}

/** Finds the index of a number in an ascending list. */
const findPlace = (numbers: Uint32Array, wanted: number): number | undefined => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return numbers[low] === wanted ? low : undefined
}

const itemsOf = (numbers: NumberRange, item: (number: number) => TouchedItem): TouchedItems => ({
  length: numbers.length,
  *[Symbol.iterator]() {
    for (const number of numbers) yield item(number)
  }
})

/** Returns the seeds of the game's records, and the facts that follow from them. */
const makeSeeds = (size: number) => {
  const game = { id: "synthetic-1", name: "Synthetic 1" }
  const steps = syntheticSteps(size)
  const seedOf = (number: number, deployment: number) => {
    const { catalogue, price } = steps.versions(number, deployment)
    // A changed catalogue field implies a price change, as on the real feed.
    return {
      gameId: game.id,
      gameName: game.name,
      number,
      catalogueVersion: catalogue,
      priceVersion: price + catalogue
    }
  }
  const itemOf = (number: number): TouchedItem => {
    const { expansionCode: code, id, nameSlug, printNumber } = syntheticFacts(seedOf(number, 0))
    return { slug: nameSlug, feedSlug: feedSlug({ expansion: { code }, nameSlug, printNumber }), id }
  }
  const expansionOf = (expansion: number) => {
    const { expansionCode: code, releaseDate } = syntheticFacts(seedOf(expansion * productsPerExpansion, 0))
    return {
      id: syntheticExpansionId(expansion),
      gameId: game.id,
      slug: `${game.id}-${code.toLowerCase()}`,
      name: `Expansion ${code}`,
      code,
      languages: ["en"],
      releaseDate
    }
  }
  return { game, steps, seedOf, itemOf, expansionOf }
}
type Seeds = ReturnType<typeof makeSeeds>

const productShelf = ({ seedOf, steps }: Seeds, deployment: number): ProductShelf => {
  const numbers = steps.numbers(deployment)
  const seedAt = (index: number) => seedOf(numbers[index] ?? 0, deployment)
  const text = (index: number) => Buffer.from(syntheticProduct(seedAt(index)))
  return {
    size: numbers.length,
    inNameOrder: true,
    text,
    worded: (index, rule) => (rule === null ? text(index) : renameKeys(text(index), rule)),
    facts: (index) => syntheticFacts(seedAt(index)),
    id: (index) => syntheticId(numbers[index] ?? 0),
    hasBlocksOf: (index, other) => (numbers[index] ?? 0) < steps.end(other),
    find: (id) => findPlace(numbers, numberOfSyntheticId(Number(id)))
  }
}

/**
 * Returns a synthetic catalogue: a game of `size` products with 3 deployments. Texts are generated on demand and
 * reproducibly, so that a million products need no memory.
 */
export const syntheticCatalogue = (size: number): ReadonlyArray<StoredGame> => {
  const seeds = makeSeeds(size)
  const { expansionOf, game, itemOf, steps } = seeds
  /** Generates the expansions of a deployment from number `from` on. */
  const expansionsOf = (deployment: number, from = 0) =>
    Array.from(
      { length: Math.floor((steps.numbers(deployment).at(-1) ?? 0) / productsPerExpansion) + 1 },
      (_, expansion) => expansionOf(expansion)
    ).slice(from)
  const stored: StoredGame = {
    game,
    text: JSON.stringify(game),
    blocksAgree: true,
    deployments: Array.from({ length: syntheticDeployments }, (_, at) => ({
      name: `2026-01-0${at + 1}`,
      deployedAt: `2026-01-0${at + 1}T04:00:00.000Z`
    })),
    open: keepRecent(2, async (deployment): Promise<StoredDeployment> => {
      const texts = expansionsOf(deployment).map((expansion) => JSON.stringify(expansion))
      return {
        products: productShelf(seeds, deployment),
        expansions: expansionShelf(textLines(Buffer.from(texts.join("\n"))))
      }
    }),
    changes: async (deployment) => ({
      products: {
        added: itemsOf(steps.added(deployment), itemOf),
        modified: itemsOf(steps.modified(deployment), itemOf),
        removed: itemsOf(steps.removed(deployment), (number) => {
          const { feedSlug, slug } = itemOf(number)
          return { slug, ...(feedSlug === undefined ? {} : { feedSlug }) }
        })
      },
      expansions: {
        added: expansionsOf(deployment, deployment === 0 ? 0 : expansionsOf(deployment - 1).length).map(
          ({ id, slug }) => ({ slug, id: String(id) })
        ),
        modified: [],
        removed: []
      }
    })
  }
  return [stored]
}
