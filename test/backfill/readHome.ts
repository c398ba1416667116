import { Effect } from "effect"
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { onDay } from "../homes/frozenHome.ts"
import { card, expansion, gameId, type Json } from "../store/lake/invented.ts"
import { remove, temporaryFolder } from "../pipelines/cli.ts"
import { tinyMarketplace, type TinyHome } from "../safety/tinyNights.ts"

const priced = (id: number, marketValue: number, more: Json = {}) =>
  card(id, {
    pricesByFinish: {
      Standard: {
        sourceEur: { currency: "EUR", low: 0.1, marketValue },
        sourceUsd: { currency: "USD", marketValue: 2 }
      }
    },
    ...more
  })

/** Three days: card 1 climbs and is gone on the third, card 2 is dear, card 3 has no price, card 4 a rare Foil. */
const days = [0, 1, 2].map((day) => ({
  expansions: [expansion(1)],
  products: [
    ...(day < 2 ? [priced(1, 5 + day)] : []),
    priced(2, 30.0625 + day, { rarity: "rare" }),
    card(3, { rarity: "rare" }),
    card(4, { finishes: ["Foil"], pricesByFinish: { Foil: { sourceEur: { currency: "EUR", marketValue: 9 } } } })
  ]
}))

export const folder = (home: TinyHome) => join(home.root, "backfill", `game=${gameId}`)
export const answers = (home: TinyHome) => readdirSync(join(folder(home), "answers")).toSorted()
export const ledger = (home: TinyHome) =>
  readFileSync(join(folder(home), "ledger.ndjson"), "utf8")
    .split("\n")
    .flatMap((line) =>
      line === "" ? [] : [JSON.parse(line) as { product: number; from: string; status: string; reason?: string }]
    )

/** A home with one night, read on 3 May, when the second day was live. */
export const readHome = Effect.gen(function* () {
  const marketplace = yield* tinyMarketplace({ days })
  yield* marketplace.deploy
  const home = yield* marketplace.newHome
  if (existsSync(master)) cpSync(master, home.root, { recursive: true })
  else {
    yield* home.night.pipe(onDay("05-03"))
    cpSync(home.root, master, { recursive: true })
  }
  return { home, marketplace }
})
/** Made by the first test that needs it; each has a copy of its own. */
const master = join(temporaryFolder(), "home")
process.once("exit", () => remove(dirname(master)))
