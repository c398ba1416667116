import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allServices } from "../../../pipelines/settings/services.ts"
import type { Sandbox, SandboxOptions } from "../../../src/market/Sandbox.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { snapshotTables } from "../../../src/feed/schema/snapshotTables.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"

/** A home of a sandbox that is read by one road. */
export const homeBy = Effect.fnUntraced(function* (
  { key, url }: Pick<Sandbox, "key" | "url">,
  road: "auto" | "feeds" | "pages",
  more: Record<string, string> = {}
) {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-roads-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const settings = { CARDLAKE_URL: url, CARDLAKE_API_KEY: key, CARDLAKE_HOME: home, CARDLAKE_ROAD: road, ...more }
  const services = yield* Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const inHome = Effect.provideContext(services)
  return {
    home,
    settings,
    services,
    inHome,
    night: (...games: ReadonlyArray<string>) => inHome(runNight(games, () => {})),
    rows: (sql: string) => inHome(lakeRows(sql))
  }
})

/** A sandbox, and two homes of it: one by feed files, one page by page. */
export const bothRoads = Effect.fnUntraced(function* (options: SandboxOptions) {
  const sandbox = yield* serveSandbox(options)
  return { sandbox, feeds: yield* homeBy(sandbox, "feeds"), pages: yield* homeBy(sandbox, "pages") }
})

/** Tables that tell how a night was read rather than what. */
const ofReading = new Set(["drift", "refusals", "translations"])

/** The columns of a table that both roads fill alike. */
const selected = ({ columns }: (typeof snapshotTables)[number]): string => {
  const left = columns.filter(({ roads }) => roads !== "both").map(({ name }) => name)
  return left.length === 0 ? "*" : `* exclude (${left.join(", ")})`
}

/** A query for each table that has one row: how many rows, and a sum over them. */
export const sumsOfTables = snapshotTables
  .filter(({ name }) => !ofReading.has(name))
  .map((table) => ({
    table: table.name,
    rows: `select ${selected(table)} from ${table.name} order by all limit 50`,
    sums: `select count(*)::int as n, md5(string_agg(line, '|' order by line)) as sum from (select t::varchar as line from (select ${selected(table)} from ${table.name}) t)`
  }))
