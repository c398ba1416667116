import { DuckDBInstance } from "@duckdb/node-api"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schedule, Scope } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { document, textsOf } from "../../documents.ts"
import {
  cardlake,
  json,
  node,
  settings,
  start,
  startCardlake,
  type Started,
  startSandbox
} from "../../pipelines/cli.ts"
import { card, catalogueFolder, type Deployed, expansion } from "../../store/lake/invented.ts"

const game = "hollowmere"
const nights = 40

/** Every deployment adds, removes, renames and reprices cards; their languages, finishes and ids move, too. */
const deployed = Array.from({ length: nights }, (_, day): Deployed => ({
  expansions: Array.from({ length: 1 + (day % 3) }, (_, at) => expansion(at + 1, { name: `Marsh ${day % 5}` })),
  products: Array.from({ length: 4 + (day % 4) }, (_, at) => {
    const price = { currency: "EUR", low: day + at, marketValue: at === 2 && day % 2 === 0 ? null : day + at + 0.25 }
    const foil = day % 3 === 0 ? { Foil: { sourceEur: { currency: "EUR", low: 9 } } } : {}
    return card(at + 1, {
      name: at === 0 ? `Hound of day ${day}` : `Hound ${at}`,
      languages: day % 2 === 0 ? ["en"] : ["de", "en"],
      finishes: day % 5 === 0 ? ["Standard"] : ["Foil", "Standard"],
      externalIds: day % 4 === 0 ? {} : { mtgId: `m${at}-${day % 3}` },
      pricesByFinish: at === 1 ? {} : { Standard: { sourceEur: price }, ...foil }
    })
  })
}))

type Row = Readonly<Record<string, unknown>>
type Rows = ReadonlyArray<Row>

/** What the feed of changes leaves out, and what names the game. */
const excluded = new Set(["game_id", "position", "change_24h", "change_7d", "change_30d", "is_listed"])
const own = (row: Row, id = "") =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== id && !excluded.has(name)))
/** A figure that a price lacks is null, or missing in a copy. */
const sorted = (rows: Rows = []) =>
  rows
    .map((row) => Object.entries(own(row, "product_id")).filter(([, value]) => value !== null))
    .map((row) => JSON.stringify(row.toSorted()))
    .toSorted()

const ofProduct = [
  "external_ids",
  "translations",
  "source_prices",
  "source_price_conditions",
  "marketplace_prices",
  "marketplace_price_conditions"
]

interface State {
  readonly next: number
  readonly game: Readonly<Record<string, Row>>
  readonly expansion: Readonly<Record<string, Row>>
  readonly product: Readonly<Record<string, Row>>
}

/** The lake as a program's copy of it, and the number of its last publication; percentages and positions are left out. */
const readLake = async (home: string) => {
  const instance = await DuckDBInstance.create(join(home, "lake.duckdb"), { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const rows = async (sql: string) =>
    (await connection.runAndReadAll(`select to_json(t)::varchar from (${sql}) t`))
      .getRows()
      .map(([row]) => JSON.parse(String(row)) as Row)
  const parts = await Promise.all(ofProduct.map(async (name) => [name, await rows(`from ${name}`)] as const))
  const lists = await rows(
    "select product_id, (select list(language order by position) from product_languages l where l.product_id = p.product_id) as languages, (select list(finish order by position) from product_finishes f where f.product_id = p.product_id) as finishes from products p"
  )
  const products = (await rows("from products")).map((row) => {
    const id = row["product_id"]
    const its = parts.map(([name, all]) => [name, sorted(all.filter((one) => one["product_id"] === id))] as const)
    const { finishes, languages } = lists.find((one) => one["product_id"] === id) ?? {}
    return [String(id), { ...own(row, "product_id"), finishes, languages, ...Object.fromEntries(its) }] as const
  })
  const expansions = (await rows("from expansions")).map(
    (row) => [String(row["expansion_id"]), own(row, "expansion_id")] as const
  )
  const [games, [last]] = [await rows("from games"), await rows("select max(sequence) as last from publications")]
  instance.closeSync()
  const next = Number(last?.["last"])
  return {
    next,
    games: games.map((row) => own(row)),
    expansions: Object.fromEntries(expansions),
    products: Object.fromEntries(products)
  }
}

/** A program's copy in the form of {@link readLake}. */
const shape = ({ expansion, game, next, product }: State) => {
  const ids = (items: Readonly<Record<string, Row>>, id: string) =>
    Object.entries(items).map(([key, row]) => [key.split(" ")[1] ?? "", own(row, id)] as const)
  const products = ids(product, "product_id").map(([id, row]) => {
    const its = ofProduct.map((name) => [name, sorted(row[name] as Rows | undefined)] as const)
    return [id, { ...row, ...Object.fromEntries(its) }] as const
  })
  return {
    next,
    games: Object.values(game).map((row) => own(row)),
    expansions: Object.fromEntries(ids(expansion, "expansion_id")),
    products: Object.fromEntries(products)
  }
}

const guide = document("data/guide/serve.md")
const programs = [
  { name: "follow.py", command: "python3", text: textsOf(guide, "python")[0] ?? "" },
  { name: "follow.mjs", command: node, text: textsOf(guide, "javascript")[0] ?? "" }
]

it("programs of the guide have at most 60 lines", () => {
  for (const { name, text } of programs) {
    assert.isAbove(text.length, 500, name)
    assert.isAtMost(text.trimEnd().split("\n").length, 60, name)
  }
})

/** Waits until a program's file is as far as the lake; a program that has ended fails the test. */
const copied = (file: string, next: number, program: () => Started, log: () => string) =>
  Effect.runPromise(
    Effect.sync(() => {
      if (program().process.exitCode !== null) throw new Error(`${program().text()}\nThe server: ${log()}`)
      try {
        return JSON.parse(readFileSync(file, "utf8")) as State
      } catch {
        return null
      }
    }).pipe(
      Effect.repeat({ until: (state) => state?.next === next, schedule: Schedule.spaced("100 millis") }),
      Effect.timeout("60 seconds")
    )
  )

it("programs of the guide follow a lake through 40 nights with kills, rollbacks and prunes, and equal it after each", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-follow-"))
  const scope = Scope.makeUnsafe()
  const catalogue = await Effect.runPromise(Scope.provide(catalogueFolder({ [game]: deployed }), scope))
  const sandbox = await startSandbox({ catalogue })
  const home = join(folder, "lake")
  const env = settings(sandbox.url, home)
  const run = async (...args: ReadonlyArray<string>) => json(await cardlake([...args, "--json"], { env }))
  await run("nightly", game)

  const serve = async (port: string) => {
    const server = startCardlake(["serve", "--port", port, "--json"], { env })
    await server.shows('"url"')
    return { server, url: (JSON.parse(server.text()) as { url: string }).url }
  }
  const { url, ...first } = await serve("0")
  let { server } = first
  const followers = programs.map(({ command, name, text }) => {
    writeFileSync(join(folder, name), text)
    const file = join(folder, `${name}.json`)
    return { name, file, command, program: start(command, [join(folder, name), url, file]) }
  })
  const kinds = new Set<string>()
  for (let night = 1; night < nights; night++) {
    if (night % 6 === 0) {
      for (const one of followers) one.program.process.kill("SIGKILL")
      if (night % 12 === 0) {
        server.process.kill("SIGKILL")
        ;({ server } = await serve(new URL(url).port))
      }
    }
    if (night % 7 === 3) await run("rollback", game, "--yes", "--why", "wrong prices")
    else {
      await sandbox.deploy(game)
      if (night % 5 === 2) {
        const killed = startCardlake(["nightly", game], { env })
        await Promise.race([killed.shows("publishing"), killed.ended])
        killed.process.kill("SIGKILL")
        await killed.ended
      }
      await run("nightly", game)
    }
    // The programs that were killed miss what is pruned meanwhile.
    if (night % 8 === 6) await run("prune", "--keep-last", "1", "--yes")
    if (night % 6 === 0)
      for (const one of followers) one.program = start(one.command, [join(folder, one.name), url, one.file])
    const expected = await readLake(home)
    for (const { file, name, ...one } of followers) {
      const follower = followers.find((other) => other.name === name) ?? { ...one, file, name }
      const state = await copied(
        file,
        expected.next,
        () => follower.program,
        () => server.text()
      )
      assert.deepStrictEqual(shape(state as State), expected, `${name} after night ${night}`)
    }
  }
  for (const { program } of followers) program.process.kill()
  const rows = (await (await fetch(`${url}/v1/publications?limit=10000`)).json()) as {
    publications: ReadonlyArray<{ kind: string }>
  }
  for (const { kind } of rows.publications) kinds.add(kind)
  assert.includeMembers([...kinds], ["nightly", "rollback"])
  server.process.kill()
  await sandbox.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
}, 1_200_000)
