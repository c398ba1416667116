import { folderNamed } from "../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices } from "../../pipelines/settings/marketServices.ts"
import type { Sandbox, SandboxOptions } from "../../src/market/Sandbox.ts"
import { lakeRows } from "../store/lake/tableRows.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"

/** An empty home that is deleted with the scope, and nights of a marketplace that fill it. */
export const homeOf = Effect.fnUntraced(function* (
  { key, url }: Pick<Sandbox, "key" | "url">,
  extra: Readonly<Record<string, string>> = {}
) {
  const home = yield* folderNamed("cardlake [test] {a,b} ")
  const settings = { CARDLAKE_URL: url, CARDLAKE_API_KEY: key, CARDLAKE_HOME: home, ...extra }
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

/** A sandbox and such a home of it. */
export const marketplaceAndHome = Effect.fnUntraced(function* (
  options: SandboxOptions,
  extra: Readonly<Record<string, string>> = {}
) {
  const sandbox = yield* serveSandbox(options)
  return { sandbox, ...(yield* homeOf(sandbox, extra)) }
})
