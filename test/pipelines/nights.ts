import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices } from "../../pipelines/settings/services.ts"
import type { SandboxOptions } from "../../src/market/Sandbox.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"

/** A sandbox, an empty home that is deleted with the scope, and nights that fill it. */
export const marketplaceAndHome = Effect.fnUntraced(function* (
  options: SandboxOptions,
  extra: Record<string, string> = {}
) {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake [test] {a,b} "))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const sandbox = yield* serveSandbox(options)
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: home, ...extra }
  const services = yield* Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  return {
    home,
    sandbox,
    settings,
    services,
    night: (...games: ReadonlyArray<string>) =>
      Effect.provideContext(
        runNight(games, () => {}),
        services
      )
  }
})
