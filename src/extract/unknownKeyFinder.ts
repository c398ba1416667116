import type { KeyShape } from "./KeyShape.ts"

type Finder = (value: unknown) => boolean
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** No keys to look for inside. Compared by identity, so that the hot loop does not call it. */
const nothing: Finder = () => false

/**
 * Compiles a shape into a predicate: does the value carry a key that the shape does not know? Runs over every record of
 * a night, so it allocates nothing and stops at the first such key.
 */
export const unknownKeyFinder = (shape: KeyShape): Finder => {
  switch (shape._tag) {
    case "leaf":
      return nothing
    case "fields": {
      const finders = new Map([...shape.fields].map(([key, field]) => [key, unknownKeyFinder(field)]))
      return (value) => {
        if (!isObject(value)) return false
        for (const key in value) {
          const finder = finders.get(key)
          if (finder === undefined || (finder !== nothing && finder(value[key]))) return true
        }
        return false
      }
    }
    case "each": {
      const finder = unknownKeyFinder(shape.item)
      return (value) => {
        if (Array.isArray(value)) return value.some(finder)
        if (!isObject(value)) return false
        for (const key in value) if (finder(value[key])) return true
        return false
      }
    }
    case "variants": {
      const { field } = shape
      const finders = new Map([...shape.byLiteral].map(([literal, variant]) => [literal, unknownKeyFinder(variant)]))
      return (value) => isObject(value) && (finders.get(value[field]) ?? nothing)(value)
    }
  }
}
