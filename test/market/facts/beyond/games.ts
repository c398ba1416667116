import { deepEqual, equal } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, readList, all, at, listAt } from "../reading/ask.ts"
import { countable, dateTime, filled, integer, language, listOf, maybeAbsent, slug, uri } from "../reading/kinds.ts"

const games = once(async ({ ask }) => await readList(ask("GET /v1/games"), "data"))
const expansions = once(async (world) => {
  const found: Array<unknown> = []
  for (const game of all(await games(world), "*.id"))
    found.push(...listAt(await answered(world.ask(`GET /v1/games/${String(game)}/expansions?limit=200`)), "data"))
  return found
})
const game = fieldsOf("a game", games)
const expansion = fieldsOf("an expansion", expansions)

export const gamesAndExpansions = section("beyond", "5. Games and expansions", [
  ...game(slug, "id"),
  ...game(filled, "name"),
  ...game(maybeAbsent(dateTime), "releaseDate", "releaseDate?"),
  ...game(maybeAbsent(countable), "cardCount", "cardCount?"),
  ...game(maybeAbsent(countable), "sealedProductCount", "sealedProductCount?"),
  ...game(maybeAbsent(uri), "logoUrl", "logoUrl?"),
  ...expansion(integer, "id"),
  ...expansion(slug, "gameId slug"),
  ...expansion(filled, "name code", "name, code"),
  ...expansion(listOf(language), "languages"),
  ...expansion(maybeAbsent(countable), "cardCount", "cardCount?"),
  ...expansion(maybeAbsent(countable), "sealedProductCount", "sealedProductCount?"),
  ...expansion(maybeAbsent(uri), "logoUrl", "logoUrl?"),
  ...expansion(maybeAbsent(uri), "symbolUrl", "symbolUrl?"),
  ...expansion(maybeAbsent(dateTime), "releaseDate", "releaseDate?"),
  fact("slug", "an expansion's slug is unique in its game", async (world) => {
    const slugs = (await expansions(world)).map((each) => `${String(at(each, "gameId"))} ${String(at(each, "slug"))}`)
    equal(new Set(slugs).size, slugs.length)
  }),
  fact("", "expansions come newest release first, those without a date last", async (world) => {
    for (const game of all(await games(world), "*.id")) {
      const dates = (await expansions(world))
        .filter((each) => at(each, "gameId") === game)
        .map((each) => String(at(each, "releaseDate") ?? ""))
      deepEqual(dates, dates.toSorted().toReversed())
    }
  }),
  fact("GET /v1/expansions/{expansionId}", "it answers the expansion as the list has it", async (world) => {
    for (const each of await expansions(world))
      deepEqual(await answered(world.ask(`GET /v1/expansions/${String(at(each, "id"))}`)), each)
  }),
  untried("code", "code is unique in its game", "two expansions of a game share one, as in the live service"),
  untried("", "there are about two dozen games, one of them a placeholder", "the sandbox has three invented ones")
])
