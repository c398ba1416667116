import { Effect } from "effect"
import type { AttributeFilter } from "../../feed/contract/SearchRequest.ts"
import { badRequest } from "../answers/badRequest.ts"

type Json = Readonly<Record<string, unknown>>
type Test = (value: unknown) => boolean

/** An attribute that is a list has each of its values. Texts are equal ignoring case. */
const has = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value)
    ? value.some((each) => has(each, wanted))
    : String(value).toLowerCase() === String(wanted).toLowerCase()

const testOf = ({ max, min, op, value, values }: AttributeFilter): Test | undefined => {
  if (values !== undefined) {
    if (op === "or" || op === undefined) return (found) => values.some((wanted) => has(found, wanted))
    return op === "and" ? (found) => values.every((wanted) => has(found, wanted)) : undefined
  }
  if (value !== undefined) {
    if (op === "=" || op === undefined) return (found) => has(found, value)
    if (typeof value !== "number") return undefined
    if (op === ">") return (found) => typeof found === "number" && found > value
    return op === "<" ? (found) => typeof found === "number" && found < value : undefined
  }
  if (typeof min !== "number" && typeof max !== "number") return undefined
  const from = typeof min === "number" ? min : -Infinity
  const to = typeof max === "number" ? max : Infinity
  return (found) => typeof found === "number" && found >= from && found <= to
}

/**
 * The test of `gameFilters.filters` over a card's `attributes`: `{op, values[]}`, `{op: = > <, value}`, `{min,
 * max}` or `{value}`. Beyond the spec: section 6. Fails with a 400 that names the attribute for any other shape.
 */
export const attributeFilter = (filters: Readonly<Record<string, AttributeFilter>>) =>
  Effect.forEach(Object.entries(filters), ([name, filter]) => {
    const test = testOf(filter)
    return test === undefined
      ? Effect.fail(
          badRequest(`gameFilters.filters.${name}`, "give {op, values[]}, {op: = > <, value}, {min, max} or {value}")
        )
      : Effect.succeed((attributes: Json) => Object.hasOwn(attributes, name) && test(attributes[name]))
  }).pipe(Effect.map((tests) => (attributes: Json) => tests.every((test) => test(attributes))))
