import { hash } from "node:crypto"

/** A number from 0 (included) to 1 (excluded) that depends on the parts alone. */
export const seededNumber = (...parts: ReadonlyArray<string | number>): number =>
  Number.parseInt(hash("sha256", parts.join("\n"), "hex").slice(0, 12), 16) / 2 ** 48

/** One of the items, by a number from 0 to 1; undefined of none. */
export const pick = <A>(items: ReadonlyArray<A>, number: number): A | undefined =>
  items[Math.floor(number * items.length)]
