import { hash } from "node:crypto"

/** Returns a number in [0, 1) that depends only on the parts. */
export const seededNumber = (...parts: ReadonlyArray<string | number>): number =>
  Number.parseInt(hash("sha256", parts.join("\n"), "hex").slice(0, 12), 16) / 2 ** 48

/** Picks an item by a number in [0, 1); undefined if there are no items. */
export const pick = <A>(items: ReadonlyArray<A>, number: number): A | undefined =>
  items[Math.floor(number * items.length)]

/** A reproducible sequence of random numbers and choices for a seed. */
export const makeDrawn = (seed: number) => {
  let draws = 0
  const next = () => seededNumber("market", seed, draws++)
  return {
    /** An integer from 0 to `most` - 1. */
    below: (most: number) => Math.floor(next() * most),
    of: <A>(items: ReadonlyArray<A>) => pick(items, next())
  }
}
export type Drawn = ReturnType<typeof makeDrawn>
