import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import { Effect } from "effect"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import type { KeyShape } from "../../../src/feed/rows/KeyShape.ts"
import { type BrokenRecord, brokenRecords } from "./brokenRecords.ts"
import { expectedPages, sentAs, wrongRefusals, wrongRows } from "./brokenVerdicts.ts"
import type { Field } from "./fieldTable.ts"
import { type RecordKind, recordTables } from "./recordTables.ts"
import { pagesApart } from "../reading/pagesApart.ts"
import { pageSize, type SentList, sendRecords } from "./sendRecords.ts"
import { live } from "../../support/suite.ts"

const hugeChars = 100_000
const kinds: ReadonlyArray<RecordKind> = ["card", "sealed", "expansion"]

/**
 * Each record twice: on a page of records broken in the same way, then mixed with all others.
 * No verdict may depend on the neighbours.
 */
const sentTwice = (list: SentList, records: ReadonlyArray<BrokenRecord>) => {
  const alike = Map.groupBy(records, ({ name, refusedAt }) => `${name.split(" ").at(-1)} ${refusedAt.length}`)
  const apart = pagesApart(list, alike.values())
  return { ...sentAs(list, [...apart, ...records]), firstMixedPage: apart.length / pageSize }
}

const lists = {
  products: sentTwice("products", [...brokenRecords("card", hugeChars), ...brokenRecords("sealed", hugeChars)]),
  expansions: sentTwice("expansions", brokenRecords("expansion", hugeChars))
}
const sent = Object.values(lists)
/** Read once, by the first test that asks. Every second mixed page begins with a byte order mark. */
const reading = Effect.runSync(
  Effect.cached(
    sendRecords({ products: lists.products.texts, expansions: lists.expansions.texts }, (list, page) => {
      const mixed = page - lists[list].firstMixedPage
      return mixed >= 0 && mixed % 2 === 1
    })
  )
)

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
  if (kind === "expansion") return recordRules(dialects.spec).expansions.shape
  const { shape } = recordRules(dialects.spec).products
  return shape._tag === "variants" ? shape.byLiteral.get(kind) : undefined
}

describe("the broken records", () => {
  for (const kind of kinds) {
    it(`have a case for every key of the contract: ${kind}`, () => {
      const known = knownPaths(shapeOf(kind))
      const inTable = new Set(tablePaths(recordTables[kind]))
      assert.deepStrictEqual(
        known.filter((path) => !inTable.has(path)),
        []
      )
      // The contents of a list of texts or of an open object are not keys of the contract.
      const others = [...inTable].filter((path) => !known.includes(path))
      assert.deepStrictEqual(
        others.filter((path) => !/^(languages|finishes|attributes)\.\*$/.test(path)),
        []
      )
    })
  }

  it("have distinct names, and are JSON", () => {
    const names = kinds.flatMap((kind) =>
      brokenRecords(kind, 10).map(({ name, text }) => [name, JSON.parse(text(1))] as const)
    )
    assert.strictEqual(new Map(names).size, names.length)
  })
})

describe("a game of broken records", () => {
  live("accepted + refused = sent, on every page", function* () {
    const { expansions, extraction, products, refused } = yield* reading
    const pages = extraction.pages.filter(({ kind }) => kind === "products" || kind === "expansions")
    assert.sameDeepMembers(
      pages.map(({ file, records, refused }) => ({ file, records, refused })),
      sent.flatMap(expectedPages)
    )
    assert.deepStrictEqual([extraction.products, extraction.expansions], [products.size, expansions.size])
    assert.strictEqual(extraction.refused, refused.length)
    assert.strictEqual(
      products.size + expansions.size + refused.length,
      lists.products.records.length + lists.expansions.records.length
    )
  })

  live("every refusal names the field at fault and has the record as it was sent", () =>
    Effect.map(reading, (read) =>
      assert.deepStrictEqual(
        sent.flatMap((list) => wrongRefusals(list, read)),
        []
      )
    )
  )

  live("its tables have every accepted record letter by letter, and no other", () =>
    Effect.map(reading, (read) =>
      assert.deepStrictEqual(
        sent.flatMap((list) => wrongRows(list, read)),
        []
      )
    )
  )

  live("passes the checks of every table", () =>
    Effect.map(reading, ({ checks }) => {
      assert.isNotEmpty(checks)
      assert.deepStrictEqual(
        checks.filter(({ violations }) => violations > 0),
        []
      )
    })
  )
})
