/** An object as JSON.parse makes it; an array counts, its indexes are keys. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null
