/** The location of an answer's records. */
export interface FoundList {
  /** The keys that lead to the list; none: the answer itself is it. */
  readonly path: ReadonlyArray<string>
  readonly records: ReadonlyArray<unknown>
}

/** An envelope has few levels; deeper lists are those of records. */
const maxLevels = 3

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

/** The records of a page with an unknown envelope: the outermost list of objects, else an empty one; or null. */
export const findList = (json: unknown): FoundList | null => {
  let level: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly value: unknown }> = [
    { path: [], value: json }
  ]
  let empty: FoundList | null = null
  for (let depth = 0; depth <= maxLevels; depth++) {
    for (const { path, value } of level) {
      if (!Array.isArray(value)) continue
      const records: ReadonlyArray<unknown> = value
      if (records.length > 0 && records.every(isRecord)) return { path, records }
      if (records.length === 0) empty ??= { path, records }
    }
    level = level.flatMap(({ path, value }) =>
      isRecord(value)
        ? Object.entries(value as object).map(([key, inner]: [string, unknown]) => ({
            path: [...path, key],
            value: inner
          }))
        : []
    )
  }
  return empty
}
