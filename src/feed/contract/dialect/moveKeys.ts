/** The keys from a record, or from a page's envelope, to a value; `*` is any key. */
export type KeyPath = ReadonlyArray<string>

/** A value whose path differs from the contract's. Both paths have the same number of `*`. */
export interface Move {
  readonly from: KeyPath
  readonly to: KeyPath
}

type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null

/** defineProperty is needed, because a key `__proto__` is data here. */
const put = (at: JsonObject, key: string, value: unknown) =>
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true })

const own = (at: JsonObject, key: string): unknown => (Object.hasOwn(at, key) ? at[key] : undefined)

interface Taken {
  /** The keys that the path's `*` stand for. */
  readonly bound: KeyPath
  readonly value: unknown
}

/** The rest of a path, and the keys that its `*` have matched so far. */
interface Way {
  readonly path: KeyPath
  readonly bound: KeyPath
}

/** Removes the value at a path, and objects that are empty afterwards. */
const takeFrom = (at: unknown, { path: [step = "", ...rest], bound }: Way, taken: Array<Taken>): void => {
  if (!isObject(at)) return
  for (const key of step === "*" ? Object.keys(at) : [step]) {
    if (!Object.hasOwn(at, key)) continue
    const inner = own(at, key)
    const known = step === "*" ? [...bound, key] : bound
    if (rest.length === 0) {
      taken.push({ bound: known, value: inner })
      delete at[key]
      continue
    }
    const before = taken.length
    takeFrom(inner, { path: rest, bound: known }, taken)
    const isEmptied = taken.length > before && isObject(inner) && Object.keys(inner).length === 0
    if (isEmptied && !Array.isArray(inner)) delete at[key]
  }
}

/** Keeps the value that a moved value replaces, under an unknown key, so that it is reported. */
const keepDisplaced = (root: JsonObject, path: KeyPath, value: unknown) => {
  if (value !== undefined && value !== null) put(root, `${path.join(".")} as it came`, value)
}

const putAt = (root: JsonObject, to: KeyPath, { bound, value }: Taken) => {
  let left = bound
  let at = root
  const path = to.map((step) => {
    if (step !== "*") return step
    const [key = "", ...others] = left
    left = others
    return key
  })
  for (const [index, key] of path.entries()) {
    const inner = own(at, key)
    if (index === path.length - 1) {
      keepDisplaced(root, path, inner)
      put(at, key, value)
      return
    }
    if (isObject(inner)) at = inner
    else {
      const made: JsonObject = {}
      keepDisplaced(root, path.slice(0, index + 1), inner)
      put(at, key, made)
      at = made
    }
  }
}

/** Moves the values of a parsed document in place to the paths that the contract expects. */
export const moveKeys = (value: unknown, moves: ReadonlyArray<Move>): void => {
  if (!isObject(value) || Array.isArray(value)) return
  // All values are removed before any is inserted, because two keys may have been swapped.
  const found = moves.map(({ from, to }) => {
    const taken: Array<Taken> = []
    takeFrom(value, { path: from, bound: [] }, taken)
    return { to, taken }
  })
  for (const { taken, to } of found) for (const one of taken) putAt(value, to, one)
}
