import { isObject } from "../isObject.ts"

const textOrExponent = /"(?:[^"\\]|\\.)*"|e\+/g

/** The attributes of a product are asked for twice: for its row and for its hash. */
let last: { readonly value: unknown; readonly text: string } = { value: undefined, text: "" }

/** A value as JSON text, with DuckDB's spelling of great numbers: `1e30`, where JavaScript writes `1e+30`. */
export const jsonText = (value: unknown): string => {
  if (value === last.value) return last.text
  const json = JSON.stringify(value)
  const text = json.includes("e+") ? json.replaceAll(textOrExponent, (found) => (found === "e+" ? "e" : found)) : json
  if (isObject(value)) last = { value, text }
  return text
}
