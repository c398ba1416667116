/** Deployments of a synthetic catalogue. */
export const syntheticDeployments = 3

/** Ascending numbers, counted. */
export interface NumberRange extends Iterable<number> {
  readonly length: number
}

/** What happens to one product at one deployment. Product numbers count up from 0 within a game. */
export interface SyntheticSteps {
  /** Product numbers of a deployment, ascending. */
  readonly numbers: (deployment: number) => Uint32Array
  /** The number behind the last one of a deployment. */
  readonly end: (deployment: number) => number
  readonly added: (deployment: number) => NumberRange
  readonly removed: (deployment: number) => NumberRange
  /** Products whose catalogue fields changed; those that only moved a price are not among them. */
  readonly modified: (deployment: number) => NumberRange
  /** How often the catalogue fields and the prices of a product changed up to a deployment. */
  readonly versions: (number: number, deployment: number) => { readonly catalogue: number; readonly price: number }
}

/** The numbers `from`, `from + step`, … below `to`, made while they are read. */
const range = (from: number, to: number, step: number): NumberRange => ({
  length: Math.max(0, Math.ceil((to - from) / step)),
  *[Symbol.iterator]() {
    for (let number = from; number < to; number += step) yield number
  }
})

const empty = range(0, 0, 1)

// Out of every hundred products one leaves and five change at each step, half of these in their catalogue fields.
const leavesAt = (deployment: number) => 10 * deployment + 7
const changesAt = (deployment: number) => 5 * deployment - 2

/** The steps of a game that starts with `size` products: each adds 1 %, removes 1 % and modifies 5 %. */
export const syntheticSteps = (size: number): SyntheticSteps => {
  const growth = Math.floor(size / 100)
  const end = (deployment: number) => size + deployment * growth
  const added = (deployment: number) =>
    deployment === 0 ? range(0, size, 1) : range(end(deployment - 1), end(deployment), 1)
  const removed = (deployment: number) => (deployment === 0 ? empty : range(leavesAt(deployment), size, 100))
  const modified = (deployment: number) => (deployment === 0 ? empty : range(changesAt(deployment), size, 40))
  const changedAt = (number: number, deployment: number): "catalogue" | "price" | undefined =>
    number >= size || number % 20 !== changesAt(deployment) ? undefined : number % 40 < 20 ? "catalogue" : "price"
  const numbers = (deployment: number) => {
    const gone = new Set(Array.from(range(1, deployment + 1, 1), leavesAt))
    const last = end(deployment)
    const left = new Uint32Array(last)
    let count = 0
    for (let number = 0; number < last; number++) {
      if (number < size && gone.has(number % 100)) continue
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
