import type { KeyShape } from "./KeyShape.ts"

/**
 * Compiles a shape into a predicate: does the value carry a key that the shape does not know? Runs over every record of a
 * night, so it is code made for the shape, as the contract's own: a third of the time of closures. It counts: a value with as
 * many keys as known ones are present has no other. Only for what JSON.parse gives, where a present key is never undefined.
 */
export const unknownKeyFinder = (shape: KeyShape): ((value: unknown) => boolean) => {
  const functions: Array<string> = []
  const define = (body: string): string => {
    const name = `find${functions.length}`
    functions.push(`function ${name}(v) { ${body} }`)
    return name
  }
  const code = (key: unknown) => JSON.stringify(key)

  /** Name of the function for a shape; null where there are no keys to look for inside. */
  const compile = (at: KeyShape): string | null => {
    switch (at._tag) {
      case "leaf":
        return null
      case "fields": {
        const fields = [...at.fields].map(([key, field]) => {
          const find = compile(field)
          return find === null
            ? `if (v[${code(key)}] !== undefined) left--;`
            : `at = v[${code(key)}]; if (at !== undefined) { left--; if (${find}(at)) return true }`
        })
        return define(`${unlessObject} let left = Object.keys(v).length, at; ${fields.join(" ")} return left !== 0`)
      }
      case "each": {
        const find = compile(at.item)
        return find === null
          ? null
          : define(
              `if (Array.isArray(v)) return v.some(${find}); ${unlessObject} for (const key in v) if (${find}(v[key])) return true; return false`
            )
      }
      case "variants": {
        const cases = [...at.byLiteral].map(([literal, variant]) => {
          const find = compile(variant)
          return `case ${code(literal)}: return ${find === null ? "false" : `${find}(v)`};`
        })
        return define(`${unlessObject} switch (v[${code(at.field)}]) { ${cases.join(" ")} } return false`)
      }
    }
  }
  const find = compile(shape)
  // The code is made of the contract's words alone.
  return find === null ? () => false : Function(`"use strict"; ${functions.join("\n")} return ${find}`)()
}

const unlessObject = `if (typeof v !== "object" || v === null) return false;`
