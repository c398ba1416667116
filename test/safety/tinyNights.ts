import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { cpSync, readFileSync } from "node:fs"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices } from "../../pipelines/settings/marketServices.ts"
import { readCurrent } from "../../src/store/home/Home.ts"
import { openLake } from "../../src/store/lake/publish/openLake.ts"
import { readSnapshot } from "../../src/store/home/Manifest.ts"
import { snapshotTables } from "../../src/feed/schema/snapshotTables.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder, type Deployed, card, expansion, gameId, idOf } from "../store/lake/invented.ts"
import { homePaths } from "../../src/store/home/homePaths.ts"
import { newFolder } from "../support/suite.ts"

const priced = (id: number, low: number, more = {}) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } }, ...more })

/** The tiny game's deployments: cards come, go, are renamed and repriced. */
export const deployments: ReadonlyArray<Deployed> = Array.from({ length: 12 }, (_, day) => ({
  expansions: [expansion(1)],
  products: Array.from({ length: 40 }, (_, index) => priced(day + index + 1, 1 + ((day * 7 + index) % 13))).concat(
    day % 2 === 0 ? [] : [priced(900, 5, { name: `Renamed on day ${day}` })]
  )
}))

/** A home with what tests ask of it. */
export const tinyHome = Effect.fnUntraced(function* (root: string, url: string, key: string, more = {}) {
  const settings = { CARDLAKE_URL: url, CARDLAKE_API_KEY: key, CARDLAKE_HOME: root, ...more }
  const services = yield* Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const paths = homePaths(root)
  const manifest = Effect.gen(function* () {
    const { games } = yield* readCurrent
    return (yield* readSnapshot(paths.snapshot(gameId, idOf(games[gameId]?.snapshot ?? "none")))).manifest
  })
  return {
    root,
    paths,
    settings,
    services,
    night: runNight([], () => {}).pipe(
      Effect.provideContext(services),
      Effect.provideService(References.MinimumLogLevel, "Error")
    ),
    current: readCurrent.pipe(Effect.provideContext(services)),
    manifest: manifest.pipe(Effect.provideContext(services)),
    /** sha256 of every table of the published snapshot. */
    tables: manifest.pipe(
      Effect.map(({ tables }) =>
        Object.fromEntries(Object.entries(tables).map(([name, { sha256 }]) => [name, sha256]))
      ),
      Effect.provideContext(services)
    ),
    /** Rows and content of every table in `lake.duckdb`; equal for equal states. */
    lake: Effect.flatMap(openLake, (session) => session.rows("Digest", digest)).pipe(
      Effect.scoped,
      Effect.map((rows) => rows.map((row) => String(row["digest"]))),
      Effect.provideContext(services)
    ),
    query: (sql: string) =>
      Effect.flatMap(openLake, (session) => session.rows("Query", sql)).pipe(
        Effect.scoped,
        Effect.provideContext(services)
      )
  }
})
export type TinyHome = Effect.Success<ReturnType<typeof tinyHome>>

const digest = snapshotTables
  .map(({ name }) => `select '${name} ' || count(*) || ' ' || coalesce(bit_xor(hash(t)), 0) as digest from ${name} t`)
  .join(" union all ")

/** A sandbox of the tiny game, and empty homes for it. */
export const tinyMarketplace = Effect.fnUntraced(function* (
  options: { readonly days?: ReadonlyArray<Deployed>; readonly settings?: Record<string, string> } = {}
) {
  const catalogue = yield* catalogueFolder({ [gameId]: options.days ?? deployments })
  const sandbox = yield* serveSandbox({ catalogue })
  const newHome = Effect.flatMap(newFolder, (root) => tinyHome(root, sandbox.url, sandbox.key, options.settings))
  return {
    sandbox,
    deploy: sandbox.deploy(gameId),
    newHome,
    copyOf: Effect.fnUntraced(function* (home: TinyHome) {
      const copy = yield* newHome
      cpSync(home.root, copy.root, { recursive: true })
      return copy
    })
  }
})

export const jsonFile = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"))
