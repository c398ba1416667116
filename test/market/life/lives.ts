import { Effect } from "effect"
import * as fc from "fast-check"
import type { Served } from "../Served.ts"
import { commands, firstStock } from "./commands.ts"
import { checkMarket, makeMarket, type Model, traders } from "./Market.ts"

/** Leads `runs` random markets through `length` deeds each, and checks what must be true then. */
export const liveMarkets = (runs: number, length: number) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Served>()
    const run = Effect.runPromiseWith(context)
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(...commands(run)), { minLength: length, maxLength: length }),
          async (life) => {
            const market = await run(makeMarket)
            const model: Model = { units: traders.map(() => 0), orders: [] }
            await run(firstStock(model, market))
            await fc.asyncModelRun(() => ({ model, real: market }), life)
            await run(checkMarket(market, model))
          }
        ),
        { numRuns: runs }
      )
    )
  })
