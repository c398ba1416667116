import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { renameSync } from "node:fs"
import { cardlake } from "../../pipelines/cli.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"
import { catalogueFolder, repricedGame } from "../../store/lake/invented.ts"
import { linesOf, serving } from "./served.ts"

const game = "hollowmere"

live("a long poll wakes at a publication, a table is there until two more, and what was pruned is 410", function* () {
  const catalogue = yield* catalogueFolder({ [game]: repricedGame(game, { days: 5 }) })
  const { night, sandbox, services, settings } = yield* marketplaceAndHome({ catalogue })
  const publish = Effect.andThen(sandbox.deploy(game), night(game))
  yield* night(game)
  const { get } = yield* Effect.provideContext(serving(), services)
  const poll = yield* Effect.forkChild(get("/v1/changes?since=1&wait=60"))
  const others = yield* Effect.forkChild(
    Effect.forEach(Array.from({ length: 5 }), () => get("/v1/changes?since=1&wait=60"), { concurrency: 5 })
  )
  yield* publish
  const woken = yield* Fiber.join(poll)
  assert.include(linesOf(woken).at(-1) ?? {}, { next: 2 })
  assert.isAbove(linesOf(woken).length, 1)
  for (const { text } of yield* Fiber.join(others)) assert.strictEqual(text, woken.text)

  const table = (sequence: number) => get(`/v1/tables/source_prices/${game}.ndjson?sequence=${sequence}`)
  const lows = (sequence: number) =>
    Effect.map(table(sequence), (got) => (got.status === 200 ? linesOf(got).map(({ low }) => low) : got.status))
  assert.deepStrictEqual(yield* lows(2), [2, 3, 4])
  yield* publish
  yield* publish
  yield* get("/v1/changes?since=3&wait=60")
  assert.deepStrictEqual(yield* lows(2), [2, 3, 4])
  // Nobody asked for it while it was the newest.
  assert.strictEqual(yield* lows(3), 410)
  assert.deepStrictEqual(yield* lows(4), [4, 5, 6])
  yield* publish
  yield* get("/v1/changes?since=4&wait=60")
  assert.strictEqual(yield* lows(2), 410)
  assert.deepStrictEqual(yield* lows(4), [4, 5, 6])

  const run = (...args: ReadonlyArray<string>) => Effect.promise(() => cardlake(args, { env: settings }))
  assert.strictEqual((yield* run("rollback", game, "--yes", "--why", "wrong prices")).code, 0)
  assert.strictEqual((yield* run("prune", "--keep-last", "1", "--yes")).code, 0)
  yield* get("/v1/changes?since=5&wait=60")
  for (const since of [1, 2]) {
    const pruned = yield* get(`/v1/changes?since=${since}`)
    assert.deepStrictEqual([pruned.status, JSON.parse(pruned.text).restart?.sequence], [410, 6], pruned.text)
    assert.include(pruned.text, `because a snapshot of ${game} that publication ${since + 1} needs was pruned`)
  }
  // The night before the current one is retained, and so is what was rolled back.
  assert.include(linesOf(yield* get("/v1/changes?since=3")).at(-1) ?? {}, { next: 6 })
  assert.deepStrictEqual(yield* lows(6), [4, 5, 6])
  // A folder that is not mounted is no empty lake: a reader would discard its copy.
  renameSync(settings["CARDLAKE_HOME"] ?? "", `${settings["CARDLAKE_HOME"]} away`)
  const waits = [0, 6].map((since) => get(`/v1/changes?since=${since}&wait=1`))
  for (const { status } of yield* Effect.all(waits, { concurrency: 2 })) assert.strictEqual(status, 503)
  const unmounted = yield* run("changes", "--since", "6")
  assert.deepStrictEqual([unmounted.code, unmounted.stdout], [1, ""], unmounted.stderr)
  renameSync(`${settings["CARDLAKE_HOME"]} away`, settings["CARDLAKE_HOME"] ?? "")
})
