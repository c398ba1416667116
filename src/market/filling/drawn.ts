import { pick, seededNumber } from "../catalogue/seededNumber.ts"

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
