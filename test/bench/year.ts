import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { allServices } from "../../pipelines/settings/services.ts"
import { NightPatience } from "../../src/night/run/NightSettings.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { lakeRows } from "../store/lake/tableRows.ts"
import { showing } from "../../src/night/run/showing.ts"
import { settingsOf, startSandboxOf } from "./program.ts"
import { bench, dayMillis, line, mean, ratio } from "./report.ts"
import { yearCatalogue } from "./yearCatalogue.ts"

/**
 * `npm run bench:year [GAMES] [NIGHTS] [PRODUCTS]`: nights by feed files of several small games, each deployed every ten
 * days, with new prices every fourth, and now and then a dead link, a wrong checksum or files that are late. After every
 * night the lake is compared with what the marketplace then says page by page.
 */
const games = Number(process.argv[2] ?? 4)
const nights = Number(process.argv[3] ?? 365)
const products = Number(process.argv[4] ?? 40)
const first = Date.parse("2025-11-01T03:00:00Z")

/** What goes wrong on which nights. */
const plans = [
  { every: 7, rules: [{ kind: "dead-link", endpoint: "downloads", at: [1] }] },
  { every: 11, rules: [{ kind: "wrong-checksum", endpoint: "feeds", at: [1] }] },
  { every: 13, rules: [{ kind: "reset-body", endpoint: "downloads", at: [1, 2] }] }
]
const lateEvery = 17

interface Told {
  readonly id: number
  readonly name: string
  readonly prices?: Blocks
  readonly pricesByFinish?: Readonly<Record<string, Blocks>>
}
type Blocks = Readonly<Record<string, { readonly low?: number | null } | null>>

const run = async (folder: string) => {
  const catalogue = join(folder, "catalogue")
  const ids = yearCatalogue(catalogue, { games, products, deployments: Math.ceil(nights / 10) + 1 })
  const sandbox = await startSandboxOf(catalogue)
  process.once("exit", sandbox.stop)
  const send = async (path: string, body: object, method = "POST") => {
    const headers = { authorization: `Bearer ${sandbox.key}`, "content-type": "application/json" }
    const answer = await fetch(sandbox.url + path, { method, headers, body: JSON.stringify(body) })
    return (await answer.json()) as { readonly data: ReadonlyArray<Told> }
  }
  const settings = { ...settingsOf(sandbox, join(folder, "lake")), CARDLAKE_VIA: "feeds" }
  const services = allServices(settings).pipe(Layer.provideMerge(NodeServices.layer))

  /** Names and low prices of a game, as the pages say them. */
  const truthOf = async (gameId: string): Promise<string> => {
    const { data } = await send("/v1/products/search?limit=200&offset=0", { gameFilters: { game: gameId } })
    const rows = data.flatMap(({ id, name, prices, pricesByFinish = {} }) =>
      Object.entries(prices === undefined ? pricesByFinish : { Standard: prices }).flatMap(([finish, blocks]) =>
        ["sourceEur", "sourceUsd"].flatMap((source) => {
          const low = blocks[source]?.low
          return low === undefined || low === null ? [] : [[id, name, finish, source, low.toFixed(4)].join(" ")]
        })
      )
    )
    return rows.toSorted().join("\n")
  }
  const lakeOf = async (gameId: string): Promise<string> => {
    const rows = await Effect.runPromise(
      lakeRows(
        `select concat_ws(' ', product_id, p.name, finish, source, low) as line
         from source_prices join products p using (game_id, product_id) where game_id = '${gameId}' and low is not null`
      ).pipe(Effect.provide(services))
    )
    return rows
      .map((row) => String(Object(row).line))
      .toSorted()
      .join("\n")
  }

  const took: Array<number> = []
  const verdicts = new Map<string, number>()
  const faults = new Map<string, number>()
  let requests = 0
  let late = 0
  let right = 0
  for (let night = 1; night <= nights; night++) {
    const isLate = night % lateEvery === 0
    await send("/sandbox/clock", { seconds: dayMillis / 1000 })
    await send("/sandbox/feeds", { lagSeconds: isLate ? 3600 : 0 })
    for (const [at, gameId] of ids.entries()) {
      if (night > 1 && (night + at) % 10 === 0) await send("/sandbox/deploy", { gameId })
      if (night > 1 && (night + at) % 4 === 0) await send("/sandbox/reprice", { gameId, seed: night })
    }
    const plan = plans.filter(({ every }) => night % every === 0)
    await send("/sandbox/faults", { rules: plan.flatMap(({ rules }) => rules) }, "PUT")
    for (const { rules } of plan) for (const { kind } of rules) faults.set(kind, (faults.get(kind) ?? 0) + 1)
    if (isLate) late += 1
    const one = runNight([], () => {}).pipe(
      showing(first + night * dayMillis),
      Effect.provideService(NightPatience, { ...NightPatience.defaultValue(), looks: 3, everyMillis: 50 }),
      Effect.provideService(References.MinimumLogLevel, "Error"),
      Effect.provide(services)
    )
    const since = performance.now()
    const report = await Effect.runPromise(one)
    took.push((performance.now() - since) / 1000)
    requests += report.requests ?? 0
    await send("/sandbox/faults", {}, "PUT")
    for (const { gameId, reason, reconciliation, via, verdict } of report.games) {
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
      const isGood = verdict === "published" || verdict === "unchanged"
      if (!isGood || via !== "feeds" || (reconciliation?.unexplained ?? 0) > 0) {
        throw new Error(`night ${night}, ${gameId}: ${verdict} by ${via}, ${reason}`)
      }
      // A late file shows the deployment before.
      if (isLate) continue
      if ((await lakeOf(gameId)) !== (await truthOf(gameId))) throw new Error(`night ${night}, ${gameId} is not right`)
      right += 1
    }
  }
  sandbox.stop()
  const span = Math.max(1, Math.floor(nights / 10))
  const megabytes = (name: string) => {
    // A month's history begins with its first week.
    if (!existsSync(join(folder, "lake", name))) return "0.0"
    const all = readdirSync(join(folder, "lake", name), { recursive: true, withFileTypes: true })
    const bytes = all.map((one) => (one.isFile() ? statSync(join(one.parentPath, one.name)).size : 0))
    return (bytes.reduce((sum, one) => sum + one, 0) / 1e6).toFixed(1)
  }
  line("verdicts of games", [...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(", "))
  line("games compared with the marketplace, all of them right", String(right))
  line("nights with a fault", [...faults, ["late files", late] as const].map(([kind, n]) => `${n} ${kind}`).join(", "))
  line("requests; of a night", `${requests}; ${(requests / nights).toFixed(1)}`)
  line(
    `seconds of a night, the last ${span} ÷ those from the ${span + 1}th on`,
    ratio(mean(took.slice(-span)), mean(took.slice(span, span * 2)), 1)
  )
  line(
    "megabytes of raw files; of snapshots; of history",
    `${megabytes("raw")}; ${megabytes("snapshots")}; ${megabytes("history")}`
  )
  line("peak memory", `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`)
}

await bench(`${games} games of ${products} products, ${nights} nights by feed files`, run)
