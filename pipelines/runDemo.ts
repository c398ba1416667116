import { writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"
import { claimHome } from "../src/lake/claimHome.ts"
import { serveSandbox } from "../src/sandbox/serveSandbox.ts"
import { clearDemo, demoReadme } from "./clearDemo.ts"
import { diffText } from "./diffText.ts"
import { queryTable } from "./runQuery.ts"
import { runDiff } from "./runDiff.ts"
import { runNight } from "./runNight.ts"
import { allServices } from "./services.ts"
import { showNight } from "./showNight.ts"
import { verdictText } from "./verdictText.ts"

const sample = fileURLToPath(new URL("../data/sample", import.meta.url))

const questions = [
  {
    asks: "Which cards moved most between the two nights?",
    sql: `select p.game_id as game, p.name, c.field, c.old, c.new
from changes c join products p on p.game_id = c.game_id and p.product_id = c.id
where c.class = 'price' and c.field like '%.market_value' and c.old is not null and c.new is not null
order by abs(c.new::decimal(18, 4) - c.old::decimal(18, 4)) desc limit 5`
  },
  {
    asks: "What is every expansion worth, card by card at market value?",
    sql: `select p.game_id as game, e.name as expansion, count(*) as priced, s.currency, sum(s.market_value) as value
from products p
join expansions e using (game_id, expansion_id)
join source_prices s using (game_id, product_id)
where p.product_type = 'card' and s.finish = 'Standard' and s.market_value is not null
group by all order by value desc limit 5`
  }
]

/** Starts the sandbox in this process, runs two nights with a deployment between them, and shows what a user gets. */
export const runDemo = Effect.fnUntraced(function* (folder: string, print: (text: string) => Effect.Effect<void>) {
  const home = resolve(folder)
  const marketplace = yield* serveSandbox({ catalogue: sample })
  const games = (yield* marketplace.games).map((game) => game.gameId)
  yield* clearDemo(home, new Set(games))
  const services = yield* Layer.build(
    allServices({ CARDLAKE_URL: marketplace.url, CARDLAKE_API_KEY: marketplace.key, CARDLAKE_HOME: home })
  )
  yield* Effect.provideContext(claimHome, services)
  writeFileSync(join(home, demoReadme.name), demoReadme.text)
  const night = Effect.suspend(() => {
    const shown = showNight(process.stderr)
    return Effect.ensuring(runNight([], shown.onProgress), Effect.sync(shown.stop))
  })

  yield* Effect.provideContext(
    Effect.gen(function* () {
      yield* print(`A marketplace of three invented games listens at ${marketplace.url}\n\nThe first night:\n`)
      const first = yield* night
      yield* print(`${verdictText(first)}\n\nEvery game's feed is deployed anew. The second night:\n`)
      for (const game of games) yield* marketplace.deploy(game)
      const second = yield* night
      yield* print(`${verdictText(second)}\n\nWhat changed in ${second.games[0]?.gameId ?? ""} (cardlake diff):\n`)
      yield* print(diffText(yield* runDiff(second.games[0]?.gameId ?? "", null, null)))
      for (const { asks, sql } of questions) {
        yield* print(`\n${asks}\n${sql}\n\n${yield* queryTable(sql, { allowFiles: true })}`)
      }
    }),
    services
  )
  const place = relative(process.cwd(), home)
  yield* print(
    `\nThe lake: ${place}/lake.duckdb, its Parquet: ${place}/snapshots\nAsk it: npx cardlake query --home ${place} "show tables"`
  )
}, Effect.scoped)
