import assert from "node:assert/strict"
import { fact, type Section, untried } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import { countable, dateTime, filled, integer, language, listOf, maybeAbsent, slug, uri } from "../reading/kinds.ts"
import { once } from "../reading/once.ts"
import { all, at, listAt } from "../reading/paths.ts"

const games = once(async ({ ask }) => listAt(await answered(ask("GET /v1/games")), "data"))
const expansions = once(async (world) => {
  const found: Array<unknown> = []
  for (const game of all(await games(world), "*.id"))
    found.push(...listAt(await answered(world.ask(`GET /v1/games/${String(game)}/expansions?limit=200`)), "data"))
  return found
})
const game = fieldsOf("a game", games)
const expansion = fieldsOf("an expansion", expansions)

export const gamesAndExpansions: Section = {
  document: "beyond",
  heading: "5. Games and expansions",
  facts: [
    game("id", "id", slug),
    game("name", "name", filled),
    game("releaseDate?", "releaseDate", maybeAbsent(dateTime)),
    game("cardCount?", "cardCount", maybeAbsent(countable)),
    game("sealedProductCount?", "sealedProductCount", maybeAbsent(countable)),
    game("logoUrl?", "logoUrl", maybeAbsent(uri)),
    expansion("id", "id", integer),
    expansion("gameId", "gameId", slug),
    expansion("slug", "slug", slug),
    expansion("name, code", "name", filled),
    expansion("name, code", "code", filled),
    expansion("languages", "languages", listOf(language)),
    ...["cardCount", "sealedProductCount"].map((key) => expansion(`${key}?`, key, maybeAbsent(countable))),
    ...["logoUrl", "symbolUrl"].map((key) => expansion(`${key}?`, key, maybeAbsent(uri))),
    expansion("releaseDate?", "releaseDate", maybeAbsent(dateTime)),
    fact("slug", "an expansion's slug is unique in its game", async (world) => {
      const slugs = (await expansions(world)).map((each) => `${String(at(each, "gameId"))} ${String(at(each, "slug"))}`)
      assert.equal(new Set(slugs).size, slugs.length)
    }),
    fact("", "expansions come newest release first, those without a date last", async (world) => {
      for (const game of all(await games(world), "*.id")) {
        const dates = (await expansions(world))
          .filter((each) => at(each, "gameId") === game)
          .map((each) => String(at(each, "releaseDate") ?? ""))
        assert.deepEqual(dates, dates.toSorted().toReversed())
      }
    }),
    fact("GET /v1/expansions/{expansionId}", "it answers the expansion as the list has it", async (world) => {
      for (const each of await expansions(world))
        assert.deepEqual(await answered(world.ask(`GET /v1/expansions/${String(at(each, "id"))}`)), each)
    }),
    untried(
      "code",
      "code is unique in its game",
      "two expansions of an invented game share one, as some of the live service do"
    ),
    untried("", "there are about two dozen games, one of them a placeholder", "the sandbox has three invented ones")
  ]
}
