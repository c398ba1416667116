import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { runPrune } from "../../../../src/night/run/runPrune.ts"
import { Home, readCurrent } from "../../../../src/store/home/Home.ts"
import { readJson, writeJson } from "../../../../src/store/home/jsonFile.ts"
import { sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { leftOut } from "../../../../src/store/lake/front/buildFront.ts"
import { examineFront, FrontFolder, publishFront } from "../../../../src/store/lake/front/publishFront.ts"
import { lakeFiles } from "../../../../src/store/lake/history/historyTables.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { deployments } from "../../../safety/tinyNights.ts"
import { live, testIn } from "../../../support/suite.ts"
import { tried } from "../../../tried.ts"
import { temporaryFolder } from "../../../warehouse/FourNights.ts"
import { catalogueFolder, gameId } from "../invented.ts"
import { sampleHome } from "../sampleHome.ts"

/** A home after one night of a tiny game, a later night, and an empty folder for its front. */
const nightsIn = Effect.fnUntraced(function* (settings: (folder: string) => Record<string, string>) {
  const folder = yield* temporaryFolder
  const catalogue = yield* catalogueFolder({ [gameId]: deployments })
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue }, settings(folder))
  yield* night()
  const publish = (to = folder, url: string | null = null) => Effect.provideContext(publishFront(to, url), services)
  const later = Effect.andThen(sandbox.deploy(gameId), night())
  const home = yield* Effect.provideContext(Home, services)
  return { folder, home, later, publish, services }
})
const nights = nightsIn(() => ({}))

/** Queries the database that a reader attaches, with its files at another base if there is one. */
const reader = (file: string, base: string | null = null) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const instance = await DuckDBInstance.create(":memory:")
      const connection = await instance.connect()
      await connection.run(`set TimeZone = 'UTC'; attach ${sqlText(file)} as cards (read_only); use cards`)
      if (base !== null) await connection.run(`set variable cardlake_base = ${sqlText(base)}`)
      const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
      return { ask: (sql: string) => Effect.promise(() => ask(sql)), close: () => instance.closeSync() }
    }),
    ({ close }) => Effect.sync(close)
  )

const digest = (name: string) => `select count(*), bit_xor(hash(t::varchar)) from ${name} t`
const fronts = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, "front.json"), "utf8")) as { fronts: Array<{ files: Array<string> }> }).fronts
const missing = (folder: string, files: ReadonlyArray<string> = []) =>
  files.filter((file) => !existsSync(join(folder, file)))

testIn(sampleHome)("a front answers as its lake does, wherever its files are", function* () {
  const [folder, home] = [yield* temporaryFolder, yield* Home]
  const { base, sizeBytes } = yield* publishFront(folder, null)
  assert.strictEqual(base, folder)
  assert.isAtMost(sizeBytes, 1e6)
  const moved = `${folder} moved`
  renameSync(folder, moved)
  const lake = yield* reader(home.lake)
  const front = yield* reader(join(moved, "front.duckdb"), moved)
  const macros = ["movers(min_price := 0)", "products_at('2100-01-01')"]
  const tables = lakeFiles.flatMap(([kind, files]) => (kind === "macro" ? [] : files.map(({ name }) => name)))
  // In `npm test`, a quarter of the tables; bucketFront.test.ts asks for another one.
  const asked = [...tables, ...macros].filter((name) => !(name in leftOut))
  for (const name of tried(asked, (_, index) => index % 4 === 0))
    assert.deepStrictEqual(yield* front.ask(digest(name)), yield* lake.ask(digest(name)), name)
  const [[product]] = (yield* lake.ask("select min(product_id) from source_prices")) as [[string]]
  assert.deepStrictEqual(
    yield* front.ask(`from price_series(${product})`),
    yield* lake.ask(`from price_series(${product})`)
  )
  const named = yield* front.ask("select name from front_left_out order by all")
  assert.deepStrictEqual(named.flat(), Object.keys(leftOut).sort())
  renameSync(moved, folder)
})

live("a front's folder always has the files that the last two fronts name, also after a prune", function* () {
  const { folder, later, publish, services } = yield* nights
  yield* publish()
  yield* later
  const second = yield* publish()
  assert.isAbove(second.copied, 0)
  yield* later
  yield* Effect.provideContext(runPrune({ days: null, last: 1, monthly: false }, false), services)
  const before = fronts(folder)[0]?.files
  const old = yield* reader(join(folder, "front.duckdb"))
  yield* publish()
  assert.deepStrictEqual(missing(folder, [...(before ?? []), ...(fronts(folder)[0]?.files ?? [])]), [])
  assert.isAbove(Number((yield* old.ask("select count(*) from source_price_history"))[0]?.[0]), 0)
  assert.deepInclude(yield* publish(), { copied: 0, removed: 0 })
  yield* later
  const ofOthers = ["own.parquet", "fronts/notes.txt"].map((name) => join(folder, name))
  for (const file of ofOthers) writeFileSync(file, "")
  assert.isAbove((yield* publish()).removed, 0)
  assert.isTrue(
    ofOthers.every((file) => existsSync(file)),
    "files of others stay"
  )
})

live.full("a front replaces neither a later one nor what is not its own", function* () {
  const { folder, home, publish } = yield* nights
  yield* publish(folder, "https://data.example/lake/")
  assert.strictEqual((yield* publish()).base, "https://data.example/lake")
  const path = join(folder, "front.json")
  const { fronts, ...document } = yield* readJson(path, FrontFolder)
  const later = fronts.map(({ files }) => ({ files, commit: "99990101T000000000Z-0000" }))
  yield* writeJson(path, FrontFolder, { ...document, fronts: later })
  const front = readFileSync(join(folder, "front.duckdb"))
  const said = (to: string) => Effect.map(Effect.flip(publish(to)), ({ message }) => message)
  assert.match(yield* said(folder), /has the front of a later lake \(9999/)
  const other = yield* nightsIn(() => ({ CARDLAKE_FRONT: folder }))
  assert.match(
    (yield* Effect.flip(other.publish(folder))).message,
    /has the front of another lake than .*Name another folder; or delete that front first: rm -r '.+'$/
  )
  assert.isTrue(readFileSync(join(folder, "front.duckdb")).equals(front))
  const taken = yield* temporaryFolder
  writeFileSync(join(taken, "index.html"), "")
  assert.match(yield* said(taken), /has index.html, which is not of a front/)
  mkdirSync(join(home.root, "work"), { recursive: true })
  assert.match(yield* said(join(home.root, "work", "www")), /where only Cardlake writes/)
})

live(
  "doctor sees that files of a front are missing or damaged, and that it is old; publishing it again helps",
  function* () {
    const { folder, later, publish, services } = yield* nightsIn((front) => ({ CARDLAKE_FRONT: front }))
    const examined = Effect.provideContext(examineFront, services)
    assert.isNull(yield* examined)
    assert.isFalse(existsSync(join(folder, "front.duckdb")), "nobody has named its address yet")
    yield* publish()
    assert.deepInclude(yield* examined, { ok: true, says: `The front in ${folder} is that of the published lake` })
    const [first = "", last = ""] = [fronts(folder)[0]?.files.at(0), fronts(folder)[0]?.files.at(-1)]
    for (const file of tried([first, last, "front.duckdb"], (name) => name === last)) {
      writeFileSync(join(folder, file), "")
      const found = yield* examined
      assert.isFalse(found?.ok)
      assert.match(found?.says ?? "", / lacks \S+, or it is damaged\. Publish it again: cardlake front publish '/)
      yield* publish()
      assert.isTrue((yield* examined)?.ok)
    }
    const marked = readFileSync(join(folder, "front.json"))
    const old = readFileSync(join(folder, "front.duckdb"))
    yield* later
    writeFileSync(join(folder, "front.json"), marked)
    writeFileSync(join(folder, "front.duckdb"), old)
    assert.deepInclude(yield* examined, { ok: true, isDoubt: true })
  }
)

live(
  "each publication writes the front of CARDLAKE_FRONT, the first one if CARDLAKE_PUBLIC_URL is its address",
  function* () {
    const address = "https://data.example/lake"
    const settings = (front: string) => ({ CARDLAKE_FRONT: front, CARDLAKE_PUBLIC_URL: `${address}/` })
    const { folder, home, later, services } = yield* nightsIn(settings)
    const commit = Effect.flatMap(reader(join(folder, "front.duckdb")), ({ ask }) =>
      ask("select lake_commit, base from front")
    )
    const [first] = yield* commit
    assert.strictEqual(first?.[1], address)
    yield* later
    const [second] = yield* commit
    assert.notStrictEqual(second?.[0], first?.[0])
    assert.strictEqual(second?.[1], address)
    writeFileSync(join(folder, "front.json"), "{}")
    yield* later
    assert.strictEqual(
      (yield* Effect.provideContext(readCurrent, services)).history.length,
      3,
      "the night counts without a front"
    )
    assert.isTrue(existsSync(home.lake))
  }
)
