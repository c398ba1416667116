import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { card } from "../feed/rows/records.ts"
import { hostileCases } from "../safety/hostileTexts.ts"
import { live } from "../support/suite.ts"

const game = "emberfall"
const products = [{ products: [card(1, { gameId: game })] }, { products: [card(2, { gameId: game })] }]
const paths = ["games", `games/${game}/expansions`, `feeds/${game}`, `feeds/${game}/changelog?includeChanges=true`]

for (const name of ["games.json", `${game}/deployments.json`])
  live(`no text of a catalogue's ${name} leads outside: it is refused, or served`, function* () {
    const catalogue = yield* catalogueFolder({ [game]: products })
    const outside = `${catalogue}-escaped`
    const document: unknown = JSON.parse(readFileSync(join(catalogue, name), "utf8"))
    for (const { document: changed, said } of hostileCases(document, outside, 15)) {
      writeFileSync(join(catalogue, name), JSON.stringify(changed))
      const served = yield* Effect.result(serveSandbox({ catalogue, livePrices: "frozen" }))
      if (Result.isFailure(served)) {
        assert.match(served.failure.message, /^Cannot serve the catalogue: /, said)
        continue
      }
      const { key, origin } = served.success
      const headers = { authorization: `Bearer ${key}` }
      for (const path of paths) {
        const { status } = yield* Effect.promise((signal) => fetch(`${origin}/v1/${path}`, { headers, signal }))
        assert.isBelow(status, 500, said)
      }
    }
    assert.isFalse(existsSync(outside))
  })
