import { assert, describe, it } from "@effect/vitest"
import { acceptPage } from "../../../src/feed/rows/acceptPage.ts"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import type { KeyShape } from "../../../src/feed/rows/splitUnknownKeys.ts"
import { type Field, type Kind, recordOf, withInner } from "./fieldTable.ts"
import { type RecordKind, recordTables } from "./recordTables.ts"

const rules = recordRules(dialects.spec)
const kinds: ReadonlyArray<RecordKind> = ["card", "sealed", "expansion"]

/** JSON that replaces a value. */
const replacements = [
  ...(["missing", "null", "true", "7", "-7", "0.00001", "9007199254740992"] as const),
  ...(['""', '"x"', "[]", "[7]", "{}", '{"surprise":7}'] as const)
]
type Replacement = (typeof replacements)[number]

/** The replacements that the contract takes for each kind of value. */
const accepted: Readonly<Record<Kind, ReadonlyArray<Replacement>>> = {
  id: ["7", "-7"],
  count: ["7"],
  price: ["7"],
  percent: ["7", "-7", "0.00001", "9007199254740992"],
  boolean: ["true"],
  text: ['""', '"x"'],
  nonEmpty: ['"x"'],
  currency: [],
  game: [],
  word: [],
  list: ["[]"],
  map: ["{}"],
  struct: [],
  open: ["{}", '{"surprise":7}'],
  any: replacements
}

const isNeeded = ({ presence }: Field) => presence === "required" || presence === "nullable"

/** The path that the refusal names; null where the record is accepted. */
const faultOf = (field: Field, how: Replacement): string | null => {
  const { fields, kind, path, presence } = field
  const [item] = fields
  if (how === "missing") return isNeeded(field) ? path : null
  if (how === "null" && (presence === "absent" || presence === "nullable")) return null
  if (kind === "struct" && how.startsWith("{")) {
    const missing = fields.find(isNeeded)
    return missing === undefined ? null : missing.path
  }
  if (item !== undefined && kind === "list" && how === "[7]") return faultOf(item, "7")
  if (item !== undefined && kind === "map" && how === '{"surprise":7}') {
    return faultOf({ ...item, path: `${path}.surprise` }, "7")
  }
  return accepted[kind].includes(how) ? null : path
}

/** Returns the path of a record's refusal; null if it is accepted as it was sent. */
const verdict = (kind: RecordKind, record: unknown, hasSurprise: boolean) => {
  const text = JSON.stringify({ data: [record] })
  const taken: Array<unknown> = []
  const page = { text, plain: Buffer.from(text), data: JSON.parse(text).data }
  const list = kind === "expansion" ? "expansions" : "products"
  const { refusals } = acceptPage(rules[list], "fable", page, (one) => taken.push(one))
  if (refusals.length === 0 && !hasSurprise) assert.strictEqual(JSON.stringify({ data: taken }), text)
  return refusals[0]?.path ?? null
}

/** Paths of the keys that the contract knows, with `*` for the members of lists and maps. */
const knownPaths = (shape: KeyShape | undefined, path = ""): ReadonlyArray<string> => {
  switch (shape?._tag) {
    case "fields":
      return [...shape.fields].flatMap(([key, field]) => [path + key].concat(knownPaths(field, `${path}${key}.`)))
    case "each":
      return [`${path}*`, ...knownPaths(shape.item, `${path}*.`)]
    default:
      return []
  }
}

const tablePaths = (fields: ReadonlyArray<Field>, path = ""): ReadonlyArray<string> =>
  fields.flatMap((field) => {
    const at = path + (field.presence === "member" ? "*" : field.key)
    return [at, ...tablePaths(field.fields, `${at}.`)]
  })

const shapeOf = (kind: RecordKind): KeyShape | undefined => {
  if (kind === "expansion") return rules.expansions.shape
  const { shape } = rules.products
  return shape._tag === "variants" ? shape.byLiteral.get(kind) : undefined
}

describe.each(kinds)("every key of a record: %s", (kind) => {
  const fields = recordTables[kind]

  it("has a row in the table, which has no others", () => {
    // The contents of a list of texts or of an open object are not keys of the contract.
    const isKey = (path: string) => !/^(languages|finishes|attributes)\.\*$/.test(path)
    assert.sameMembers(tablePaths(fields).filter(isKey), knownPaths(shapeOf(kind)).filter(isKey))
  })
  it("is judged by the table, whatever stands in its place", () => {
    assert.isNull(verdict(kind, recordOf(fields), false))
    const wrong = withInner(fields).flatMap((field) =>
      replacements.flatMap((how) => {
        const value: unknown = how === "missing" ? undefined : JSON.parse(how)
        const found = verdict(kind, recordOf(fields, field.path, value), how.includes("surprise"))
        const expected = faultOf(field, how)
        return found === expected ? [] : [`${field.path} ${how}: ${found ?? "accepted"}, not ${expected ?? "accepted"}`]
      })
    )
    assert.deepStrictEqual(wrong, [])
  })
})
