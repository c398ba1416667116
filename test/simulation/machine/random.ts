/** Numbers that follow from a seed alone. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  readonly next: () => number
  /** Returns an integer from 0 to below `below`. */
  readonly int: (below: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(list: ReadonlyArray<A>) => A
}

/** Returns the numbers of a seed (sfc32). */
export const randomOf = (seed: number, stream = 0): Random => {
  let [a, b, c, d] = [0x9e3779b9 ^ seed, 0x243f6a88 ^ stream, 0xb7e15162, 1]
  const next = () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return ((sum + c) >>> 0) / 2 ** 32
  }
  for (let warm = 0; warm < 15; warm++) next()
  const int = (below: number) => Math.floor(next() * below)
  const pick = <A>(list: ReadonlyArray<A>): A => {
    const one = list[int(list.length)]
    if (one === undefined) throw new Error("nothing to pick from")
    return one
  }
  return { next, int, chance: (share) => next() < share, pick }
}
