import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import {
  files as allFiles,
  importsOf,
  isProgram,
  lineCount,
  read,
  resolveFrom,
  urlsOf,
  withoutComments
} from "./support/sources.ts"

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** A module imports from those before it. */
const order = words("src/feed src/store src/desk src/warehouse src/night src/market pipelines")
/** The marketplace is a second product; what others import knows nobody. */
const narrower: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/market": ["src/feed/contract", "src/feed/guard", "src/desk/pages", "src/market"],
  "src/market/sdk": ["src/market/sdk"]
}

/** The folders inside a module or a folder of one, in the same manner. A file beside them comes after all of them. */
const inside: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/feed": words("disk guard contract schema client rows reading"),
  "src/store": words("home lake diff"),
  "src/store/lake": words("duckdb fx load snapshot trust history sequence backfill search publish repair front"),
  "src/desk": words("pages notes own explorer assistant serve"),
  "src/warehouse": words("destination tables drop formats engines verify"),
  "src/night": words("observe run cluster"),
  "src/night/cluster": words("steps copies"),
  "src/market": words(`
    sdk contract limits answers log wording state catalogue accounts files events inventory offers jobs orders buying search
    prices feeds faults control description room filling recording captured
  `),
  pipelines: words("examples schedules settings print flags specs fleet night lake init")
}
/** An export to a bucket shares with homes in buckets the files that name, open and explain a bucket. */
const bucketsOfExports = words("homeAddress openBucket BucketFailed homeAround")

/** What is reached against it. */
const backwards: ReadonlyArray<string> = [
  "src/store/lake/publish/publish.ts reaches src/store/lake/repair/damages.ts",
  "src/warehouse/engines/dropLoads.ts reaches src/warehouse/readDrop.ts",
  "src/warehouse/verify/verifyFiles.ts reaches src/warehouse/strays.ts",
  "src/warehouse/verify/verifyTables.ts reaches src/warehouse/strays.ts"
]

const topLevel = new Set(
  words("package.json package-lock.json tsconfig.json README.md CHANGELOG.md src pipelines data test node_modules dist")
)
const vagueNames = /^(utils?|helpers?|common|types?|index)$/i
const maxLines = 300

const folderOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("src/") ? 2 : 1)
    .join("/")
const stepOf = (folder: string): number => order.indexOf(folder)
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

const mayImport = (from: string, to: string): boolean => {
  const [narrow] = Object.keys(narrower)
    .filter((folder) => isBelow(from, folder))
    .toSorted((a, b) => b.length - a.length)
  if (narrow !== undefined) return narrower[narrow]?.some((folder) => isBelow(to, folder)) ?? false
  const step = stepOf(folderOf(to))
  return step >= 0 && step <= stepOf(folderOf(from))
}

/** Where a file is in the order inside a folder; undefined: in a folder without a place there, such as one of SQL. */
const placeInside = (folder: string, path: string): number | undefined => {
  const folders = inside[folder] ?? []
  const [name = "", ...rest] = path.slice(folder.length + 1).split("/")
  const place = rest.length === 0 ? folders.length : folders.indexOf(name)
  return place < 0 ? undefined : place
}

const ordered = (path: string): ReadonlyArray<string> => Object.keys(inside).filter((folder) => isBelow(path, folder))

const mayKnowBucket = (from: string, file: string): boolean =>
  ["src/store/home", "src/night/cluster", "pipelines"].some((folder) => isBelow(from, folder)) ||
  (isBelow(from, "src/warehouse") && bucketsOfExports.includes(basename(file, ".ts")))

const isBackward = (from: string, to: string): boolean =>
  ordered(from).some(
    (folder) => isBelow(to, folder) && (placeInside(folder, to) ?? -1) > (placeInside(folder, from) ?? 0)
  )

const badImports = (path: string, code: string): ReadonlyArray<string> => {
  const from = folderOf(path)
  const target = (specifier: string) => resolveFrom(path, specifier)
  const relative = importsOf(code).filter((specifier) => specifier.startsWith("."))
  const endings = relative
    .filter((specifier) => !/\.(ts|sql|json)$/.test(specifier))
    .map((specifier) => `imports "${specifier}", which does not end in .ts, .sql or .json`)
  if (!isProgram(path)) return endings
  const imported = relative.map(target).filter((file) => file !== "package.json")
  const reached = urlsOf(code).map(target).filter(isProgram)
  const directions = [...imported, ...reached]
    .filter((file) => !mayImport(path, file))
    .map((file) => `reaches ${file}, which ${from} may not know`)
  const buckets = imported
    .filter((file) => file.startsWith("src/store/home/bucket/") && !mayKnowBucket(path, file))
    .map((file) => `reaches ${file}: ${from} may not know that a home is in a bucket`)
  const insideRoom = [...imported, ...reached]
    .filter((file) => isBackward(path, file) && !backwards.includes(`${path} reaches ${file}`))
    .map((file) => `reaches ${file}, which comes after it in the order of ${from}`)
  return [...endings, ...directions, ...buckets, ...insideRoom]
}

/** What only `pipelines/main.ts` does: wire, read settings, end the process. So do tests, and examples that users copy. */
const badWords = (path: string, code: string): ReadonlyArray<string> => {
  if (!isProgram(path) || /^pipelines\/(main\.ts$|examples\/)/.test(path)) return []
  const rules: ReadonlyArray<readonly [RegExp, string, boolean]> = [
    [/\bEffect\s*\.\s*provide\b/, "calls Effect.provide: wiring happens in pipelines/main.ts", true],
    [/\bprocess\s*(\.\s*|\[\s*["'`])(exit|env)\b/, "uses process.exit or process.env", true],
    [/\{[^}]*\b(exit|env)\b[^}]*\}\s*from\s*["'](node:)?process["']/, "imports exit or env of node:process", true],
    [/\bconsole\s*\.\s*\w/, "prints with console", path.startsWith("src/")]
  ]
  return rules.filter(([pattern, , applies]) => applies && pattern.test(code)).map(([, problem]) => problem)
}

const badShape = (path: string, text: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const name = basename(path).replace(/\..*$/, "")
  const lines = lineCount(text)
  if (vagueNames.test(name)) problems.push(`is called ${name}: a file is named after its main export`)
  if (lines > maxLines && !path.endsWith(".md"))
    problems.push(`has ${lines} lines: look for the second idea at ${maxLines}`)
  if (isProgram(path) && stepOf(folderOf(path)) < 0)
    problems.push(`lies in ${folderOf(path)}, which has no place in the order`)
  for (const folder of path.endsWith(".ts") ? ordered(path) : [])
    if (placeInside(folder, path) === undefined)
      problems.push(`lies in a folder that has no place in the order of ${folder}`)
  return problems
}

const unmerged = (text: string): ReadonlyArray<string> =>
  /^(?:<{7}|>{7}) /m.test(text) ? ["has the marks of a merge that nobody finished"] : []

const problemsOf = (path: string, text: string): ReadonlyArray<string> => {
  const code = path.endsWith(".ts") ? withoutComments(text) : ""
  const shape = path.endsWith(".md") ? [] : badShape(path, text)
  return [...shape, ...unmerged(text), ...badImports(path, code), ...badWords(path, code)].map((it) => `${path} ${it}`)
}

const strangersOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => !name.startsWith(".") && !topLevel.has(name))

const root = join(import.meta.dirname, "..")
/** Without this file, whose bad examples would be found. */
const files = allFiles.filter((path) => path !== "test/architecture.test.ts")

describe("the code", () => {
  it("is there to be checked, imports included", () => {
    const program = files.filter(isProgram)
    assert.isAbove(program.filter((path) => path.startsWith("src/feed/contract/")).length, 0)
    assert.isAbove(program.flatMap((path) => importsOf(withoutComments(read(path)))).length, program.length / 2)
  })

  it("keeps the import order, the names, the lengths, and what only pipelines/main.ts may do", () => {
    assert.deepStrictEqual(
      files.flatMap((path) => problemsOf(path, read(path))),
      []
    )
  })

  it("has every backward import that is named here", () => {
    const missing = backwards.filter((arrow) => {
      const [from = "", to = ""] = arrow.split(" reaches ")
      return !importsOf(read(from)).some((specifier) => join(dirname(from), specifier) === to)
    })
    assert.deepStrictEqual(missing, [])
  })

  it("has nothing else on the top level", () => {
    assert.deepStrictEqual(strangersOf(readdirSync(root)), [])
  })
})

describe("the checks", () => {
  const good: ReadonlyArray<readonly [path: string, text: string]> = [
    ["src/store/lake/Lake.ts", `import { Marketplace } from "../../feed/client/Marketplace.ts"`],
    ["src/store/lake/load/rows.ts", `export type { Session } from "../duckdb/Lake.ts"`],
    ["src/feed/schema/tables/sql.ts", `new URL("./prices.sql", import.meta.url)`],
    ["src/market/feeds.ts", `import type { Cursor } from "../feed/contract/Paging.ts"`],
    [
      "src/store/lake/Lake.ts",
      `// console.log, process.env and Effect.provide( are for main.ts\nLayer.provide(Effect.provideService(x))`
    ],
    ["src/night/cluster/copies/pull.ts", `import { BucketStore } from "../../../store/home/bucket/BucketStore.ts"`],
    ["src/warehouse/exportDrop.ts", `import { isBucket } from "../store/home/bucket/homeAddress.ts"`],
    ["pipelines/examples/shop.ts", `import { x } from "cardlake/client"; console.log(process.env)`],
    ["pipelines/main.ts", `import { x } from "../src/desk/explorer/x.ts"\nEffect.provide(process.env)`],
    ["pipelines/sandbox.ts", `import { x } from "../src/market/x.ts"; import json from "../package.json"`],
    ["test/store/lake/Lake.test.ts", `import { x } from "../../../src/market/x.ts"\nEffect.provide(x)`]
  ]
  for (const [path, text] of good) {
    it(`let pass: ${path} with ${text}`, () => assert.deepStrictEqual(problemsOf(path, text), []))
  }

  const bad: ReadonlyArray<readonly [path: string, text: string]> = [
    ["src/feed/client/Marketplace.ts", `import { Lake } from "../../store/lake/Lake.ts"`],
    ["src/feed/client/Marketplace.ts", `import type {\n  Lake\n} from "../../store/lake/Lake.ts"`],
    ["src/feed/client/Marketplace.ts", `import type { Batch } from "../rows/Batch.ts"`],
    ["src/desk/own/takeAlong.ts", `import type { BucketStore } from "../../store/home/bucket/BucketStore.ts"`],
    ["src/warehouse/exportDrop.ts", `import { BucketStore } from "../store/home/bucket/BucketStore.ts"`],
    ["src/feed/client/Marketplace.ts", `export * from "../../store/lake/Lake.ts"`],
    ["src/feed/client/Marketplace.ts", `await import("../../store/lake/Lake.ts")`],
    ["src/feed/client/Marketplace.ts", `new URL("../../store/lake/Lake.ts", import.meta.url)`],
    ["src/feed/client/Marketplace.ts", `const url = "http://a"; import { Lake } from "../../store/lake/Lake.ts"`],
    ["src/market/feeds.ts", `import { Lake } from "../store/lake/Lake.ts"`],
    ["src/market/feeds.ts", `import { page } from "../desk/explorer/page.ts"`],
    ["src/desk/explorer/page.ts", `import { feeds } from "../../market/feeds.ts"`],
    ["src/market/sdk/client.ts", `import type { Money } from "../../feed/contract/Money.ts"`],
    ["src/store/lake/duckdb/Lake.ts", `import type { Written } from "../load/writeTables.ts"`],
    ["src/market/state/State.ts", `import { tables } from "../tables.ts"`],
    ["src/market/orders/placeOrder.ts", `import type { CartEntry } from "../buying/cart.ts"`],
    ["src/market/parcels/sendParcel.ts", ``],
    ["src/store/diff/rows.ts", `import { main } from "../../../pipelines/main.ts"`],
    ["src/store/diff/rows.ts", `import { x } from "../../../test/x.ts"`],
    ...["./other", "./other.js"].map((file) => ["src/store/diff/rows.ts", `import { x } from "${file}"`] as const),
    ["src/store/diff/rows.ts", `program.pipe(Effect.provide(layer))`],
    ["src/store/diff/rows.ts", `console.log("x")`],
    ["src/store/diff/rows.ts", `const home = process.env["CARDLAKE_HOME"]`],
    ["src/store/diff/rows.ts", `import { env } from "node:process"`],
    ["pipelines/nightly.ts", `process.exit(1)`],
    ["pipelines/nightly.ts", `program.pipe(Effect.provide(layer))`],
    ["src/store/diff/utils.ts", ``],
    ["src/helpers/x.ts", ``],
    ["src/main.ts", ``],
    ["test/index.ts", ``],
    ["src/README.md", `a\n${"<".repeat(7)} HEAD\nb`],
    ["src/feed/schema/tables/prices.sql", `select 1\n`.repeat(maxLines + 1)]
  ]
  for (const [path, text] of bad) {
    it(`catch: ${path} with ${text.slice(0, 80)}`, () => assert.strictEqual(problemsOf(path, text).length, 1))
  }

  it("catch a stranger on the top level", () => {
    assert.deepStrictEqual(strangersOf([".ci", "src", "docs", "vitest.config.ts"]), ["docs", "vitest.config.ts"])
  })
})
