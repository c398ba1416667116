import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { defaultBounds } from "../src/store/diff/judge.ts"
import { allDocuments, commandsOf, document, documents, proseOf } from "./documents.ts"
import { root } from "./pipelines/cli.ts"

const readme = document("README.md")
const building = document("src/README.md")
const contract = document("src/feed/contract/README.md")

const files = ["src", "pipelines", "test", ".ci"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
)
const lines = files
  .filter((file) => /^(src|pipelines|test)\/.*\.(ts|sql)$/.test(file) && file !== "test/documents.test.ts")
  .flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .map((line) => ({ file, line }))
  )

const foldersOf = (path: string): ReadonlyArray<string> =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "guide")
    .map(({ name }) => name)

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (path: string): ReadonlyArray<string> =>
  [...proseOf({ path, text: readFileSync(join(root, path), "utf8") }).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-")
  )

const numbersIn = (text: string): ReadonlyArray<string> => [...text.matchAll(/\d+/g)].map(([number]) => number)

describe.each(allDocuments)("$path", (each) => {
  it("links to what is there", () => {
    const links = [...proseOf(each).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "")
    for (const link of links.filter((one) => !one.startsWith("http"))) {
      const [path = "", anchor] = link.split("#")
      const target = path === "" ? each.path : normalize(join(dirname(each.path), path))
      assert.isTrue(existsSync(join(root, target)), link)
      if (anchor !== undefined) assert.include(anchorsOf(target), anchor, link)
    }
  })

  it("sends JSON as JSON, with commands that fail where it is refused", () => {
    const sending = commandsOf(each, "sh").filter((command) => /^curl .*-d /.test(command))
    for (const command of sending) assert.match(command, /^curl -sf .*-H 'content-type: application\/json'/)
  })

  it("names files that are there", () => {
    const named = [...proseOf(each).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|sql|mjs))`/g)].map(
      (match) => match[1] ?? ""
    )
    for (const name of named.filter((one) => !one.includes("NAME"))) {
      assert.isTrue(
        files.some((file) => file === name || file.endsWith(`/${name}`)),
        name
      )
    }
  })
})

describe("README.md", () => {
  it("is short enough for one sitting", () => assert.isAtMost(readme.text.trimEnd().split("\n").length, 180))

  it("has every exit code, as pipelines/guide/nights.md explains them", () => {
    const codes = ["0", "1", "2", "3", "4", "75", "130"]
    const [, told = ""] = /^Exit codes: (.+)$/m.exec(readme.text) ?? []
    assert.deepStrictEqual(
      [...told.matchAll(/`(\d+)`/g)].map((match) => match[1]),
      codes
    )
    const explained = [...document("pipelines/guide/nights.md").text.matchAll(/^\| (\d+) +\|/gm)].map(
      (match) => match[1]
    )
    assert.deepStrictEqual(explained, codes)
  })
})

describe("the guide", () => {
  const listed = documents.map(({ path }) => path)
  for (const [folder, length] of [
    ["pipelines", 60],
    ["data", 60],
    ["src/market", 200]
  ] as const) {
    it(`has in ${folder}/README.md an index of every page, in at most ${length} lines`, () => {
      assert.isAtMost(document(`${folder}/README.md`).text.trimEnd().split("\n").length, length)
      const pages = readdirSync(join(root, folder, "guide")).map((name) => `${folder}/guide/${name}`)
      assert.sameMembers(
        pages,
        listed.filter((path) => path.startsWith(`${folder}/guide/`))
      )
    })
  }
  it("names the setting of every limit that holds a night", () => {
    const settings = Object.keys(defaultBounds).map((rule) => `CARDLAKE_HOLD_${rule.toUpperCase()}`)
    for (const page of ["settings", "held"])
      for (const setting of settings) assert.include(document(`pipelines/guide/${page}.md`).text, `\`${setting}\``)
  })
  it("has no page of more than 200 lines", () => {
    const long = documents.filter(
      ({ path, text }) => path.includes("/guide/") && text.trimEnd().split("\n").length > 200
    )
    assert.deepStrictEqual(
      long.map(({ path }) => path),
      []
    )
  })
})

describe("src/README.md", () => {
  it("is short enough for one sitting", () => assert.isAtMost(building.text.trimEnd().split("\n").length, 220))

  it("names every module, in its table and in the order of imports", () => {
    const [, order = ""] = /^`(src\/feed → .+ → pipelines)`$/m.exec(building.text) ?? []
    assert.deepStrictEqual(
      order.split(" → ").toSorted(),
      ["pipelines", ...foldersOf("src").map((name) => `src/${name}`)].toSorted()
    )
    for (const name of foldersOf("src")) assert.include(building.text, `| [\`src/${name}\`](${name}/README.md) |`)
  })
})

describe.each(foldersOf("src"))("src/%s/README.md", (name) => {
  it("names every folder of the module, in a table and in the order of imports", () => {
    const { text } = document(`src/${name}/README.md`)
    const [, order = ""] = /`(\w+ → .+?)`/.exec(text) ?? []
    assert.deepStrictEqual(order.split(" → ").toSorted(), foldersOf(`src/${name}`).toSorted())
    for (const folder of foldersOf(`src/${name}`)) assert.match(text, new RegExp(`^\\|.*\`${folder}\`.*\\| `, "m"))
  })
})

describe("src/store/README.md", () => {
  it("names every folder of the lake", () => {
    const { text } = document("src/store/README.md")
    for (const name of foldersOf("src/store/lake")) assert.include(text, `\`${name}\``)
  })
})

describe("a comment", () => {
  it("names a decision that src/README.md has", () => {
    const decisions = [...building.text.matchAll(/^(\d+)\. \*\*/gm)].map((match) => match[1] ?? "")
    const named = lines.flatMap(({ file, line }) => {
      const [, what] = /\bDesign: (.*)$/.exec(line) ?? []
      return what === undefined ? [] : [{ file, what }]
    })
    assert.isAbove(named.length, 10)
    for (const { file, what } of named) {
      assert.match(what, /^decisions? \d/, file)
      for (const number of numbersIn(what)) assert.include(decisions, number, file)
    }
  })

  it("names a section that src/feed/contract/README.md has", () => {
    const sections = [...contract.text.matchAll(/^## (\d+)\. /gm)].map((match) => match[1] ?? "")
    const rows = [...contract.text.matchAll(/^\| (\d+) \| /gm)].map((match) => match[1] ?? "")
    const named = lines.filter(({ line }) => /beyond the spec[:,] /i.test(line))
    assert.isAbove(named.length, 40)
    for (const { file, line } of named) {
      const text = line.slice(line.search(/beyond the spec/i))
      const answers = (word: string) =>
        [...text.matchAll(new RegExp(`${word}s? (\\d+(?: (?:to|and) \\d+)*)`, "g"))].flatMap((match) =>
          numbersIn(match[1] ?? "")
        )
      assert.isAbove(answers("section").length, 0, `${file}: ${line}`)
      for (const number of answers("section")) assert.include(sections, number, `${file}: ${line}`)
      for (const number of answers("row")) assert.include(rows, number, `${file}: ${line}`)
    }
  })
})
