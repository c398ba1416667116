import { Effect } from "effect"
import * as fc from "fast-check"
import type { Served } from "../Served.ts"
import { commands } from "./commands.ts"
import { checkMarket, makeMarket, type Model, traders } from "./Market.ts"

/** Lets so many random markets live, each with its own accounts, and checks what must be true of them. */
export const liveMarkets = (runs: number, maxCommands: number) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Served>()
    const run = Effect.runPromiseWith(context)
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.commands(commands(run), { maxCommands, size: "max" }), async (life) => {
          const market = await run(makeMarket)
          const model: Model = { units: traders.map(() => 0), orders: [] }
          await fc.asyncModelRun(() => ({ model, real: market }), life)
          await run(checkMarket(market, model))
        }),
        { numRuns: runs }
      )
    )
  })
