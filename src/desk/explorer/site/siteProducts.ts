import { Effect } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { joinFacts, price } from "../dataTable.ts"
import type { LakeView, Row } from "../LakeReader.ts"
import { type KnownGame, productAddress } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { describePrinting } from "../search/foundColumns.ts"
import { siteFile, siteAddress } from "./siteAddress.ts"

/** Returns expansions by code or id, as `game id`; null = all. */
export const setsNamed = Effect.fnUntraced(function* (
  lake: LakeView,
  games: ReadonlyArray<KnownGame>,
  wanted: ReadonlyArray<string>
) {
  if (wanted.length === 0) return null
  const rows = (yield* lake.rows("List the sets", "select game_id, expansion_id, code from expansions")).filter((row) =>
    games.some(({ gameId }) => gameId === row["game_id"])
  )
  const found = new Set<string>()
  for (const name of wanted) {
    const named = rows.filter(
      (row) => row["expansion_id"] === name || String(row["code"] ?? "").toLowerCase() === name.toLowerCase()
    )
    if (named.length === 0)
      return yield* new Fault(
        "SetNotInLake",
        `No exported game has a set ${name}. Pass a code or id. List them with: cardlake query "from expansions"`
      )
    for (const row of named) found.add(`${String(row["game_id"])} ${String(row["expansion_id"])}`)
  }
  return found
})

/** Returns all products of a game that can have a page in a site, in order of priority. */
export const productsInOrder = (lake: LakeView, gameId: string, sets: ReadonlySet<string> | null) => {
  const own =
    sets === null ? null : [...sets].flatMap((set) => (set.startsWith(`${gameId} `) ? set.split(" ").at(-1) : []))
  return lake.rows("List the products", queryNamed("site/products"), {
    game: gameId,
    sets: own === null ? null : own.join()
  })
}

/** A search entry of a site: name, distinguishing facts, price, file. */
export const searchable = (gameId: string, row: Row) => [
  shownText(String(row["name"]), 120),
  joinFacts([describePrinting(row), row["expansion_name"], row["variant"]]),
  price(row["market_value"], row["currency"]),
  siteFile(siteAddress(productAddress(gameId, row["product_id"])))
]
