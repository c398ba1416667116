import { newFolder } from "../support/suite.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { eachKill, killedAt } from "../eachKill.ts"
import { showing } from "../../src/night/run/showing.ts"
import { tinyMarketplace, type TinyHome } from "./tinyNights.ts"
import { vi } from "vitest"

/** The whole history as counts and digests: prices, products and nights. */
const history = (home: TinyHome) =>
  home.query(
    `select 'prices' as what, snapshot, count(*)::int as n, bit_xor(hash(h))::varchar as content
     from (select game_id, seen_at, snapshot, product_id, finish, source, low from source_price_history) h group by snapshot
     union all select 'products', valid_from::varchar, count(*)::int, bit_xor(hash(h))::varchar from product_history h group by valid_from
     union all select 'nights', snapshot, place, seen_at::varchar from nights
     order by all`
  )

/** Files of a home that hold its history. */
const files = ({ paths, root }: TinyHome): ReadonlyArray<string> =>
  ["snapshots", "changes", "history"]
    .flatMap((list) =>
      existsSync(join(root, list))
        ? readdirSync(join(root, list), { recursive: true, encoding: "utf8" })
            .filter((name) => /\.(parquet|json)$/.test(name))
            .map((name) => `${list}/${name.replace(/part=[^/]+/, "part=")}`)
        : []
    )
    .concat(existsSync(paths.lake) ? ["lake.duckdb"] : [])
    .sort()

/**
 * A command over a home with a closed month, killed before each of its steps. The lake and its history answer right
 * after; run again, it leaves what an uninterrupted one does. Returns how many were killed.
 */
const killCommand = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const marketplace = yield* tinyMarketplace()
  const home = yield* marketplace.newHome
  for (const [index, day] of ["05-10", "05-20", "05-30"].entries()) {
    if (index > 0) yield* marketplace.deploy
    yield* home.night.pipe(showing(Date.parse(`2026-${day}T03:00:00Z`)))
  }
  const state = Effect.all([home.lake, history(home)])
  const before = { files: files(home), state: yield* state }

  const folder = yield* newFolder
  const kept = join(folder, "home")
  cpSync(home.root, kept, { recursive: true })
  // In the same place: a lake names its Parquet by its path.
  const startOver = Effect.sync(() => {
    rmSync(home.root, { recursive: true })
    cpSync(kept, home.root, { recursive: true })
  })

  const run = (at: string) => killedAt(at, args, home.settings)
  yield* run("none")
  const wanted = files(home)
  assert.notDeepEqual(wanted, before.files)
  assert.deepStrictEqual(yield* state, before.state)

  const kill = Effect.fnUntraced(function* (at: string) {
    yield* startOver
    const where = yield* run(at)
    if (where === null) return false
    assert.deepStrictEqual(yield* state, before.state, where)
    yield* run("none")
    assert.deepStrictEqual(yield* state, before.state, where)
    assert.deepStrictEqual(files(home), wanted, where)
    return true
  })
  return yield* eachKill(1, kill)
})

// Some hundred commands, each in a process of its own, and as many to finish them.
vi.setConfig({ testTimeout: 3_600_000 })

describe("killed before any step, a command leaves a lake and a history that answer; run again, it is done:", () => {
  for (const args of [["compact"], ["prune", "--keep-last", "1", "--yes"]]) {
    it.live(`cardlake ${args.join(" ")}`, () =>
      Effect.gen(function* () {
        const killed = yield* killCommand(args)
        yield* Effect.log(`Killed at every step: ${killed}`)
        assert.isAbove(killed, 10)
      }).pipe(Effect.scoped)
    )
  }
})
