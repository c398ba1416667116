import { NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Logger, Tracer } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { KnownDialect } from "../../src/feed/contract/dialect/dialects.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices } from "../../pipelines/settings/marketServices.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { readCurrent } from "../../src/store/home/Home.ts"
import { openLake } from "../../src/store/lake/publish/openLake.ts"
import { readSnapshot, listParts } from "../../src/store/home/Manifest.ts"
import { NightPatience } from "../../src/night/run/NightSettings.ts"
import { homePaths } from "../../src/store/home/homePaths.ts"
import type { TestPlan } from "../../src/market/faults/Faults.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"

/** A key of these tests alone; it must be found nowhere. */
export const soakKey = "cl_soak_5d1c0be7a94e4f6d"

/** Milliseconds instead of seconds, and more tries than a plan has faults in a row. */
export const quick = {
  timeoutMillis: 20_000,
  times: 40,
  baseMillis: 2,
  maxBackoffMillis: 10,
  maxRequiredWaitMillis: 60_000,
  maxRateWaitMillis: 60_000,
  rateTimes: 120,
  minuteMillis: 60_000
}

/** A sandbox whose games have these deployments live; the earlier deployments do not count as faults. */
export const sandboxAt = Effect.fnUntraced(function* (
  catalogue: string,
  places: Readonly<Record<string, number>>,
  faults: TestPlan,
  dialect: KnownDialect = "spec"
) {
  const sandbox = yield* serveSandbox({ catalogue, key: soakKey, faults, dialect })
  for (const [gameId, place] of Object.entries(places)) {
    for (let at = 0; at < place; at++) yield* sandbox.deploy(gameId)
  }
  return sandbox
})

/** What a collector of traces learns from a span: its attributes, its events and how it ended. */
const spanText = ({ attributes, events, name, status }: Tracer.NativeSpan): string => {
  const texts = [name, ...[...attributes].flat(), ...events.flatMap(([event, , more]) => [event, JSON.stringify(more)])]
  const ended = status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
  return [...texts.map((text) => (typeof text === "object" ? JSON.stringify(text) : String(text))), ended].join(" ")
}

/**
 * One night of the home at `root` against its own sandbox.
 * `said` is every log line and span; a night that fails as a whole is a `fault`.
 */
export const soakNight = Effect.fnUntraced(function* (
  root: string,
  catalogue: string,
  places: Readonly<Record<string, number>>,
  faults: TestPlan = {},
  dialect: KnownDialect = "spec"
) {
  const sandbox = yield* sandboxAt(catalogue, places, faults, dialect)
  const said: Array<string> = []
  const listen = Logger.make((options) => {
    said.push(JSON.stringify([options.message, options.cause]), Logger.formatLogFmt.log(options))
  })
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: soakKey, CARDLAKE_HOME: root, CARDLAKE_VIA: "pages" }
  const services = yield* Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const night = yield* runNight([], () => {}).pipe(
    Effect.provideService(RetryPolicy, quick),
    Effect.provideService(NightPatience, { ...NightPatience.defaultValue(), looks: 2, everyMillis: 20 }),
    Effect.provideContext(services),
    Effect.provide(Logger.layer([listen])),
    Effect.provideService(Tracer.Tracer, tracer),
    Effect.result
  )
  const served = yield* sandbox.games
  return {
    report: night._tag === "Success" ? night.success : null,
    fault: night._tag === "Failure" ? night.failure : null,
    said: [...said, ...spans.map(spanText)],
    injected: yield* sandbox.injected,
    requests: yield* sandbox.requests,
    /** The live deployment of every game after the night: a redeploy may have changed it. */
    places: Object.fromEntries(served.map(({ gameId, place }) => [gameId, place - 1]))
  }
}, Effect.scoped)
export type SoakNight = Effect.Success<ReturnType<typeof soakNight>>

/**
 * What is published in a home:
 * of each game the deployment and the sha256 of its tables, and what `lake.duckdb` answers.
 */
export const publishedState = Effect.fnUntraced(function* (root: string) {
  const settings = { CARDLAKE_URL: "http://127.0.0.1:1", CARDLAKE_API_KEY: soakKey, CARDLAKE_HOME: root }
  const services = yield* Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const paths = homePaths(root)
  return yield* Effect.gen(function* () {
    const { games } = yield* readCurrent
    const snapshots: Record<string, Published> = {}
    for (const [gameId, { snapshot }] of Object.entries(games)) {
      const folder = paths.snapshot(gameId, snapshot)
      const { manifest } = yield* readSnapshot(folder)
      const parts = yield* listParts(gameId)
      const isInPart = parts.some(({ part }) => part.nights.some((night) => night.snapshot === snapshot))
      const tables = Object.fromEntries(
        Object.keys(manifest.tables)
          .map((table) => [table, join(folder, `${table}.parquet`)] as const)
          // The prices of a night that a month has may have no file of their own.
          .filter(([, file]) => !isInPart || existsSync(file))
          .map(([table, file]) => [table, sha256Of(file)])
      )
      const rows = Object.fromEntries(Object.entries(manifest.tables).map(([table, file]) => [table, file.rows]))
      const { deploymentId, refused } = manifest
      snapshots[gameId] = { snapshot, deploymentId, refused, tables, rows }
    }
    return { snapshots, lake: existsSync(paths.lake) ? yield* Effect.scoped(lakeAnswer) : {} }
  }).pipe(Effect.provideContext(services))
}, Effect.scoped)

export interface Published {
  readonly snapshot: string
  readonly deploymentId: string | null
  readonly refused: number
  /** sha256 of each table's file as it is on disk; a table that only a month has is missing. */
  readonly tables: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, number>>
}

const sha256Of = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex")

/** Of each game the snapshot that the lake has, and how many products and source prices. */
const lakeAnswer = Effect.gen(function* () {
  const session = yield* openLake
  const rows = yield* session.rows(
    "Query the lake",
    `select s.game_id as game, s.snapshot as snapshot,
      (select count(*) from products p where p.game_id = s.game_id)::int as products,
      (select count(*) from source_prices p where p.game_id = s.game_id)::int as prices
    from snapshots s where is_current order by all`
  )
  return Object.fromEntries(
    rows.map((row) => [
      String(row["game"]),
      { snapshot: String(row["snapshot"]), products: Number(row["products"]), prices: Number(row["prices"]) }
    ])
  )
})

/** The bytes of a file, unpacked; of one that was cut on its way, as they came. */
const plainOf = (file: string, bytes: Buffer): Buffer => {
  if (!file.endsWith(".gz")) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return bytes
  }
}

/** Files of the home that contain the key, unpacked where they are gzip. */
export const filesWithKey = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file)
      return bytes.includes(soakKey) || plainOf(file, bytes).includes(soakKey)
    })
