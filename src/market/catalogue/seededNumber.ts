import { hash } from "node:crypto"

/** A number from 0 (included) to 1 (excluded) that depends on the parts alone. */
export const seededNumber = (...parts: ReadonlyArray<string | number>): number =>
  Number.parseInt(hash("sha256", parts.join("\n"), "hex").slice(0, 12), 16) / 2 ** 48

/** One of the items, by a number from 0 to 1; undefined of none. */
export const pick = <A>(items: ReadonlyArray<A>, number: number): A | undefined =>
  items[Math.floor(number * items.length)]

/** Numbers and choices one after the other, the same ones for a seed. */
export interface Drawn {
  /** From 0 to below `most`. */
  readonly below: (most: number) => number
  readonly of: <A>(items: ReadonlyArray<A>) => A | undefined
}

export const makeDrawn = (seed: number): Drawn => {
  let draws = 0
  const next = () => seededNumber("market", seed, draws++)
  return { below: (most) => Math.floor(next() * most), of: (items) => pick(items, next()) }
}
