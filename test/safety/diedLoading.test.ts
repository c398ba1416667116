import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { catalogueFolder } from "../lake/catalogueFolder.ts"
import { gameId as quiet } from "../lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { deployments } from "./tinyNights.ts"

// Real nights, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const deadly = "deadly"
const preload = `--import ${join(import.meta.dirname, "dieInLoad.ts")}`

it.live("a game that kills whoever loads it costs one night, then only itself, until it is well", () =>
  Effect.gen(function* () {
    const ofGame = (gameId: string) =>
      deployments
        .slice(0, 1)
        .map(({ products }) => ({ products: products.map((product) => ({ ...Object(product), gameId })) }))
    const { home, night, settings } = yield* marketplaceAndHome({
      catalogue: yield* catalogueFolder({ [deadly]: ofGame(deadly), [quiet]: ofGame(quiet) })
    })
    vi.stubEnv("NODE_OPTIONS", preload)
    vi.stubEnv("DIE_IN_LOAD_OF", deadly)
    yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))

    const died = yield* Effect.promise(() => start(node, [main, "nightly"], { env: settings }).ended)
    assert.strictEqual(died.code, null)

    const verdicts = Effect.map(night(), ({ games }) =>
      Object.fromEntries(games.map(({ gameId, verdict, reason }) => [gameId, { verdict, reason }]))
    )
    const second = yield* verdicts
    assert.strictEqual(second[quiet]?.verdict, "published")
    assert.strictEqual(second[deadly]?.verdict, "failed")
    assert.match(
      second[deadly]?.reason ?? "",
      /To load deadly ended .+ a trial tonight as well \(SIGSEGV\).+report it with these pages/
    )
    const [, folder = ""] = /raw pages stay in (\S+) until/.exec(second[deadly]?.reason ?? "") ?? []
    assert.isTrue(existsSync(join(folder, "extraction.json")))

    const third = yield* verdicts
    assert.deepStrictEqual([third[quiet]?.verdict, third[deadly]?.verdict], ["unchanged", "failed"])

    vi.stubEnv("DIE_IN_LOAD_OF", "nothing")
    const fourth = yield* verdicts
    assert.strictEqual(fourth[deadly]?.verdict, "published")
    assert.deepStrictEqual(Object.keys(JSON.parse(readFileSync(join(home, "current.json"), "utf8")).games).sort(), [
      deadly,
      quiet
    ])
  }).pipe(Effect.scoped)
)
