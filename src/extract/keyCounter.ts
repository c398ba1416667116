import type { KeyShape } from "./KeyShape.ts"

/** More levels than any record has; far fewer than the stack of whoever walks it later, DuckDB's included, can take. */
export const deepest = 1000

/**
 * Keys of a JSON value and of everything in it; below 0 where it is nested more than {@link deepest} levels, or holds a number that is
 * not finite. Level by level and not recursive: a value may be nested deeper than the stack reaches.
 */
export const countKeys = (value: unknown): number => {
  let keys = 0
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return -1
    const next: Array<unknown> = []
    for (const at of level) {
      if (typeof at === "number" && !Number.isFinite(at)) return -1
      if (typeof at !== "object" || at === null) continue
      const inside = Array.isArray(at) ? at : Object.values(at)
      if (!Array.isArray(at)) keys += inside.length
      for (const inner of inside) if (typeof inner === "object" || typeof inner === "number") next.push(inner)
    }
    level = next
  }
  return keys
}

/**
 * Compiles a shape into a count of all keys of a value, which is below 0 where the value carries one that the shape does not
 * know, is nested too deeply, or holds a number that is not finite. Runs over every record of a night, so it is code made for the shape, as the contract's own: a third of the time of
 * closures. A value with as many keys as known ones are present has no other. Only for what JSON.parse gives, where a present
 * key is never undefined.
 */
export const keyCounter = (shape: KeyShape): ((value: unknown) => number) => {
  const functions: Array<string> = []
  const define = (body: string): string => {
    const name = `count${functions.length}`
    functions.push(`function ${name}(v) { if (typeof v !== "object" || v === null) return 0; ${body} }`)
    return name
  }
  const code = (key: unknown) => JSON.stringify(key)
  const inner = (value: string, count: string) => {
    const add = `n = ${count}(${value}); if (n < 0) return n; keys += n;`
    return count === "countKeys" ? `if (typeof ${value} === "object" && ${value} !== null) { ${add} }` : add
  }

  /** Name of the function for a shape. */
  const compile = (at: KeyShape): string => {
    switch (at._tag) {
      case "leaf":
        return "countKeys"
      case "fields": {
        const fields = [...at.fields].map(
          ([key, field]) => `at = v[${code(key)}]; if (at !== undefined) { known++; ${inner("at", compile(field))} }`
        )
        return define(
          `let keys = Object.keys(v).length, known = -keys, n, at; ${fields.join(" ")} return known < 0 ? -1 : keys`
        )
      }
      case "each": {
        const count = inner("at", compile(at.item))
        return define(
          `let keys = 0, n, at; if (Array.isArray(v)) for (at of v) { ${count} } else for (const key in v) { keys++; at = v[key]; ${count} } return keys`
        )
      }
      case "variants": {
        const cases = [...at.byLiteral].map(([literal, of]) => `case ${code(literal)}: return ${compile(of)}(v);`)
        return define(`switch (v[${code(at.field)}]) { ${cases.join(" ")} } return countKeys(v)`)
      }
    }
  }
  const root = compile(shape)
  // The code is made of the contract's words alone.
  return Function("countKeys", `"use strict"; ${functions.join("\n")} return ${root}`)(countKeys)
}
