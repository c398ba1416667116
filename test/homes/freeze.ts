import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runFx } from "../../src/night/run/runFx.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { allServices } from "../../pipelines/settings/marketServices.ts"
import { openLake } from "../../src/store/lake/publish/openLake.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import {
  fedSince,
  feedSince,
  frozenDeployments,
  frozenGames,
  frozenQuestions,
  frozenSettings
} from "./frozenMarketplace.ts"

/**
 * Writes a home as this release leaves it, and its answers, beside those of the releases before:
 * `node test/homes/freeze.ts`. Done once per release, never again for the same one.
 */
const root = mkdtempSync(join(tmpdir(), "cardlake-frozen-"))
const target = new URL("../fixtures/homes/", import.meta.url).pathname
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string
}

const at = (day: string) => showing(Date.parse(`2026-${day}T03:00:00Z`))

const nights = Effect.gen(function* () {
  const sandbox = yield* serveSandbox({ catalogue: yield* catalogueFolder(frozenDeployments) })
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: root, ...frozenSettings }
  const services = yield* Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const night = (day: string) => runNight([], () => {}).pipe(at(day), Effect.provideContext(services))
  const deploy = Effect.forEach(frozenGames, (gameId) => sandbox.deploy(gameId))
  const told = Effect.fnUntraced(function* (day: string) {
    const { games } = yield* night(day)
    console.log(`${day} ${games.map(({ verdict, reason }) => `${verdict} ${reason ?? ""}`).join(", ")}`)
  })
  yield* told("05-10")
  for (const day of ["05-20", "05-31", "06-03", "06-05"]) {
    yield* deploy
    yield* told(day)
  }
  yield* told("06-06")
  yield* runPrune({ days: null, last: 3, monthly: false }, false).pipe(at("06-07"), Effect.provideContext(services))
  yield* deploy
  yield* told("06-08")
  yield* runRollback({ gameId: "hollowmere", wanted: null, why: "wrong prices" }).pipe(
    at("06-09"),
    Effect.provideContext(services)
  )
  yield* runFx(new URL("../../data/sample/eurofxref.csv", import.meta.url).pathname).pipe(
    at("06-10"),
    Effect.provideContext(services)
  )
  const answers = yield* Effect.forEach(frozenQuestions, ([name, sql]) =>
    Effect.flatMap(openLake, (session) =>
      session.rows(name, `select to_json(t)::varchar as row from (${sql}) t order by all`)
    ).pipe(
      Effect.scoped,
      Effect.map((rows) => [name, rows.map(({ row }) => JSON.parse(String(row)))] as const),
      Effect.provideContext(services)
    )
  )
  const feed = yield* feedSince(fedSince).pipe(Effect.provideContext(services))
  return { ...Object.fromEntries(answers), feed }
})

const archive = join(target, `${version}.tar.gz`)
if (existsSync(archive)) throw new Error(`${archive} exists already: a release freezes its home only once`)
const answers = await Effect.runPromise(nights.pipe(Effect.scoped))
writeFileSync(join(target, `${version}.answers.json`), `${JSON.stringify(answers)}\n`)
execFileSync("tar", ["-czf", archive, "-C", root, "."])
rmSync(root, { recursive: true })
