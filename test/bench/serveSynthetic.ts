import { Effect, Schema } from "effect"
import { KnownDialectName } from "../../src/feed/contract/dialect/DialectName.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { syntheticCatalogue } from "../support/syntheticCatalogue.ts"

/** Serves made-up products of one game until it is stopped: `node test/bench/serveSynthetic.ts PRODUCTS DIALECT`. */
const [products, dialect] = process.argv.slice(2)

const serve = Effect.gen(function* () {
  const { key, url } = yield* serveSandbox({
    catalogue: { games: syntheticCatalogue(Number(products)) },
    dialect: yield* Schema.decodeUnknownEffect(KnownDialectName)(dialect),
    livePrices: "frozen"
  })
  console.log(JSON.stringify({ url, key }))
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(serve))
