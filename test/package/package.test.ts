import { assert, afterAll, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  cpSync,
  symlinkSync
} from "node:fs"
import { delimiter, join } from "node:path"
import { filesBelow, json, key, remove, root, start, temporaryFolder } from "../pipelines/cli.ts"
import { bundle } from "../../.ci/package/bundle.ts"
import { manyDeployments } from "../bench/manyDeployments.ts"
import { playPrices, playShop } from "../market/sdk/playExamples.ts"
import { isFull } from "../tried.ts"
import { type Installed, installPackage, oldest, oldestNode } from "./installPackage.ts"

/** A folder with the examples as a user copies them, where the installed package is found by its name. */
const programsFolder = ({ all, folder }: Installed): string => {
  const here = join(all, "programs")
  mkdirSync(join(here, "node_modules"), { recursive: true })
  symlinkSync(folder, join(here, "node_modules/cardlake"))
  cpSync(join(folder, "pipelines/examples"), here, { recursive: true })
  writeFileSync(join(here, "package.json"), '{"type":"module"}')
  return here
}

const program = `import { ApiError, createClient, type Sale, verifyWebhook } from "cardlake/client"
const api = createClient({ url: "https://market.example", key: "k" })
export const shipped: Array<Sale> = []
for await (const sale of api.sales.list({ status: ["shipped"], limit: undefined })) shipped.push(sale)
const event = await verifyWebhook({ headers: {}, body: "", secret: "" })
export const price: number | undefined = event.type === "order.created" ? event.data.items[0]?.unitPrice.amount : 0
export const wait = (error: unknown): number =>
  error instanceof ApiError && error.is("TOO_MANY_REQUESTS") ? error.data.retryAfter : 0
// @ts-expect-error: a product's id is a number
await api.products.get("10007")
`

/** Returns the errors of tsc for a program that uses the client, without the types of Node or a browser. */
const compiledWith = (here: string, module: string, resolution: string): string => {
  writeFileSync(join(here, "strict.ts"), program)
  const options = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false"
  const target = ["--target", "es2022", "--lib", "es2022", "--types", "", "--ignoreConfig"]
  const args = [...options.split(" "), ...target, "--module", module, "--moduleResolution", resolution, "strict.ts"]
  return spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: here, encoding: "utf8" }).stdout
}

let node: string
let cardlake: Installed
beforeAll(() => {
  node = oldestNode()
  cardlake = installPackage(node)
}, 300_000)
afterAll(() => remove(cardlake.all))

const read = (file: string): string => readFileSync(join(cardlake.folder, file), "utf8")
const run = (args: ReadonlyArray<string>, env?: Record<string, string>) => cardlake.start(args, env).ended
/** The home that a test fills, from the folder where the package is started. */
const lake = "box/lake"

/** Processor time of a program, in seconds; NaN if it fails. */
const processorSeconds = ([command = "", ...args]: ReadonlyArray<string>, env: NodeJS.ProcessEnv): number => {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null'
  const { stderr, status } = spawnSync("bash", ["-c", script, command, ...args], { env, encoding: "utf8" })
  const [user = NaN, system = NaN] = stderr.trim().split(" ").map(Number)
  return status === 0 ? user + system : NaN
}

describe("the package", () => {
  it("needs DuckDB and nothing else, has a version of its own, and no licence yet", () => {
    const { dependencies, engines, license, version } = JSON.parse(read("package.json"))
    const checkout = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.deepStrictEqual(dependencies, { "@duckdb/node-api": checkout.dependencies["@duckdb/node-api"] })
    assert.deepStrictEqual([engines, license], [{ node: `>=${oldest}` }, "UNLICENSED"])
    assert.match(version, /^0\.2\.0-20\d{12}(\.g[0-9a-f]+)?$/)
  })

  it("has every file of the checkout that is no code, byte for byte", () => {
    const files = ["src", "data/sample", "pipelines/schedules"]
      .flatMap((folder) => filesBelow(join(root, folder)))
      .filter((file) => !/\.(ts|md|png)$/.test(file))
    assert.isAbove(files.length, 150)
    const other = files.filter((file) => {
      const packed = join(cardlake.folder, file.slice(root.length))
      return !existsSync(packed) || !readFileSync(packed).equals(readFileSync(file))
    })
    assert.deepStrictEqual(other, [])
  })

  it("names every package whose code it has, with its licence", () => {
    const sources = readdirSync(join(cardlake.folder, "code"))
      .filter((name) => name.endsWith(".map"))
      .flatMap((name) => (JSON.parse(read(`code/${name}`)) as { sources: ReadonlyArray<string> }).sources)
    const names = new Set(sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
    assert.includeMembers([...names], ["effect", "undici", "@aws-sdk/client-s3", "avsc"])
    const licences = read("THIRD-PARTY.txt")
    const { components } = JSON.parse(read("sbom.cdx.json")) as { components: ReadonlyArray<{ name: string }> }
    const listed = components.map(({ name }) => name)
    const unnamed = [...names].filter((name) => !new RegExp(`^${name} \\d\\S* \\(.+\\)$`, "m").test(licences))
    assert.deepStrictEqual(unnamed, [])
    assert.includeMembers(listed, [...names, "@duckdb/node-api", "@duckdb/node-bindings"])
  })
})

it("the build fails without a file that a module names", async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, "pipelines"))
  writeFileSync(join(folder, "pipelines/lost.ts"), 'export const lost = new URL("./lost.sql", import.meta.url)')
  const contents = { root: folder, version: "1.0.0", assets: [], programs: ["pipelines/lost.ts"] }
  const ended = await bundle(contents, join(folder, "dist")).then(() => "built", String)
  remove(folder)
  assert.include(ended, "pipelines/lost.ts names pipelines/lost.sql, which the package does not have")
})

describe(`on Node ${oldest}, in an empty folder with an empty home`, () => {
  it("says what it is", async () => {
    const { node: on, version } = json(await run(["--version", "--json"])) as Record<string, unknown>
    assert.deepStrictEqual([on, version], [oldest, JSON.parse(read("package.json")).version])
  })

  it("init prepares a folder whose schedule files start the installed command: a night of many pages is read by threads, loaded, published and queried, as is the trial of its load", async () => {
    const catalogue = temporaryFolder()
    manyDeployments(catalogue, "many", { deployments: 1, products: 4000 })
    const market = await cardlake.serve(["sandbox", "--catalogue", catalogue, "--key", key])
    const ended = await run(["init", "box", "--url", market.url], { CARDLAKE_API_KEY: key })
    assert.deepStrictEqual([ended.code, ended.stderr], [0, ""])
    assert.match(ended.stdout, /^ {2}cd \S+\/box && cardlake nightly$/m)
    const box = join(cardlake.cwd, "box")
    const [, program = ""] = /^ExecStart=(.*) nightly /m.exec(readFileSync(join(box, "cardlake.service"), "utf8")) ?? []
    const env = { HOME: cardlake.home, PATH: "/usr/bin:/bin" }
    const night = json(await start("sh", ["-c", `${program} nightly --json`], { cwd: box, env }).ended) as {
      readonly run: string
      readonly verdict: string
      readonly games: ReadonlyArray<{ readonly gameId: string }>
    }
    const room = await Promise.all(
      ["", "/room.css", "/room.js"].map(async (file) => (await fetch(`${market.url}/sandbox${file}`)).status)
    )
    await market.stop()
    remove(catalogue)
    assert.strictEqual(night.verdict, "published")
    assert.deepStrictEqual(room, [200, 200, 200])
    const rows = json(await run(["query", "--home", lake, "--json", "select count(*)::int n from products"]))
    assert.deepStrictEqual(rows, [{ n: 4000 }])
    const trial = [
      join(cardlake.folder, "code/loadTrial.js"),
      join(box, "lake"),
      night.games[0]?.gameId ?? "",
      night.run
    ]
    const tried = await cardlake.onNode([...trial, "trial"]).ended
    assert.deepStrictEqual([tried.code, tried.stderr], [0, ""])
  })

  it.runIf(isFull)(
    "cardlake/client compiles strictly wherever it is found, and the examples trade with the sandbox",
    async () => {
      const here = programsFolder(cardlake)
      const found = [compiledWith(here, "nodenext", "nodenext"), compiledWith(here, "esnext", "bundler")]
      assert.deepStrictEqual(found, ["", ""])
      const market = await cardlake.serve(["sandbox", "--key", key])
      const play = (program: string, args: ReadonlyArray<string>, env: Record<string, string>) =>
        cardlake.onNode([join(here, program), ...args], { cwd: here, env })
      await Promise.all([playShop(market.url, play), playPrices(market.url, play)])
      await market.stop()
    }
  )

  it("nothing but this machine was contacted, which would have been noted, and the home folder is empty", async () => {
    assert.isFalse(existsSync(cardlake.contacts), "a socket to elsewhere was refused")
    assert.deepStrictEqual(readdirSync(cardlake.home), [])
    const { code } = await cardlake.onNode(["--eval", 'await fetch("https://192.0.2.1")', "--input-type=module"]).ended
    assert.strictEqual(code, 1)
    assert.strictEqual(readFileSync(cardlake.contacts, "utf8"), "connect 192.0.2.1\n")
  })

  it.runIf(isFull)("--help takes at most six times the processor time of Node itself", () => {
    const env = { PATH: process.env["PATH"], HOME: cardlake.home, LC_ALL: "C" }
    let [bare, help] = [Infinity, Infinity]
    // The fastest of five runs count, in turns, and again: a busy machine makes some of them slow, and a single fast one says little.
    for (let round = 0; round < 25 && !(help / bare <= 6); round++) {
      if (round % 5 === 0) [bare, help] = [Infinity, Infinity]
      bare = Math.min(bare, processorSeconds([node, "-e", "0"], env))
      help = Math.min(help, processorSeconds([node, join(cardlake.folder, "start.mjs"), "--help"], env))
    }
    assert.isAtMost(help / bare, 6, `${help} s against ${bare} s`)
  })
})

describe("one sentence says", () => {
  const oldNode = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((file) => existsSync(file) && /^v(1\d|2[01])\./.test(String(spawnSync(file, ["--version"]).stdout)))

  it.skipIf(oldNode === undefined)("that Node is too old", async () => {
    const { code, stderr, stdout } = await start(oldNode ?? "", [join(cardlake.folder, "start.mjs"), "--help"]).ended
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^cardlake: It needs Node 22\.19 or newer, and this is Node [\d.]+\. .*\n$/)
  })

  it("that the checkout is not what is packed", async () => {
    const { code, stderr } = await start("npm", ["pack"], { cwd: root }).ended
    assert.strictEqual(code, 1)
    assert.match(stderr, /^cardlake: The checkout is not the package\. Run: npm run build && npm pack \.\/dist$/m)
  })

  it("that DuckDB has no binary for this platform, or one that does not load", async () => {
    const binaries = join(cardlake.folder, "node_modules/@duckdb")
    const name = readdirSync(binaries).find((folder) => folder.startsWith("node-bindings-")) ?? ""
    const file = join(binaries, name, "duckdb.node")
    const sentence =
      /^cardlake: DuckDB cannot be loaded on \S+: .*\. It has binaries for Linux, macOS and Windows .*\n$/
    renameSync(file, `${file}.away`)
    for (const breakage of [() => {}, () => writeFileSync(file, "not a binary")]) {
      breakage()
      const { code, stderr, stdout } = await run(["query", "--home", lake, "select 1"])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, sentence)
    }
    renameSync(`${file}.away`, file)
  })
})
