const keyed = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined

/** The value at a path such as `data.0.id`; undefined where there is none. */
export const at = (json: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => keyed(value)?.[key], json)

/** All values at a path in which `*` stands for each entry; an absent last key is undefined. */
export const all = (json: unknown, path: string): ReadonlyArray<unknown> =>
  path.split(".").reduce<ReadonlyArray<unknown>>(
    (values, key) =>
      values.flatMap((value) => {
        const found = keyed(value)
        if (found === undefined) return []
        return key === "*" ? Object.values(found) : [found[key]]
      }),
    [json]
  )

const wrong = (path: string, wanted: string, found: unknown) =>
  new Error(`${path} should be ${wanted}, but is ${JSON.stringify(found)}`)

export const textAt = (json: unknown, path: string): string => {
  const found = at(json, path)
  if (typeof found !== "string") throw wrong(path, "a text", found)
  return found
}

export const numberAt = (json: unknown, path: string): number => {
  const found = at(json, path)
  if (typeof found !== "number") throw wrong(path, "a number", found)
  return found
}

export const listAt = (json: unknown, path: string): ReadonlyArray<unknown> => {
  const found = at(json, path)
  if (!Array.isArray(found)) throw wrong(path, "a list", found)
  return found
}

/** The keys of an object, sorted. */
export const keysAt = (json: unknown, path: string): ReadonlyArray<string> =>
  Object.keys(keyed(path === "" ? json : at(json, path)) ?? {}).toSorted()

/** An amount in hundredths of its currency. */
export const centsAt = (json: unknown, path: string): number => Math.round(numberAt(json, path) * 100)

/** The sum of all amounts at a path with `*`, in hundredths. */
export const sumOfCents = (json: unknown, path: string): number =>
  all(json, path).reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0)
