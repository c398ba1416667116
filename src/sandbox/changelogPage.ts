import { Effect } from "effect"
import { pageLimits } from "../contract/Paging.ts"
import { badRequest } from "./badRequest.ts"
import { changelogCursor, entryOfCursor } from "./changelogCursor.ts"
import type { LiveEntry, LiveGame } from "./LiveGame.ts"
import type { Touched, TouchedItem } from "./StoredCatalogue.ts"

/** The id is put as its digits: it is a number, however long. */
const itemText = ({ slug, id }: TouchedItem) =>
  id === undefined ? `{"slug":${JSON.stringify(slug)}}` : `{"slug":${JSON.stringify(slug)},"id":${id}}`

const listText = (items: ReadonlyArray<TouchedItem>) => `[${items.map(itemText).join(",")}]`

const touchedText = ({ added, modified, removed }: Touched) =>
  `{"added":${listText(added)},"modified":${listText(modified)},"removed":${listText(removed)}}`

const entryText = async (game: LiveGame, entry: LiveEntry, includeChanges: boolean) => {
  const { id, deployedAt, summary } = entry
  const text = JSON.stringify({ id, deployedAt, summary })
  if (!includeChanges) return text
  const { products, expansions } = await game.changes(entry.deployment)
  const changes = `{"products":${touchedText(products)},"expansions":${touchedText(expansions)}}`
  return `${text.slice(0, -1)},"changes":${changes}}`
}

/** One page of a game's changelog as JSON text, newest entry first. Fails with 400 for a cursor that it never gave. */
export const changelogPage = Effect.fnUntraced(function* (
  game: LiveGame,
  query: { readonly limit?: number; readonly cursor?: string; readonly includeChanges?: "true" | "false" }
) {
  const gameId = game.stored.game.id
  const entries = yield* game.entries
  let start = 0
  if (query.cursor !== undefined) {
    const last = entryOfCursor(gameId, query.cursor)
    const place = entries.findIndex((entry) => entry.id === last)
    if (place === -1) return yield* badRequest("cursor", "not a cursor of this list; start without one")
    start = place + 1
  }
  const end = start + (query.limit ?? pageLimits.cursor.default)
  const shown = entries.slice(start, end)
  const texts = yield* Effect.promise(async () => {
    const made: Array<string> = []
    // One after the other: each may open two deployments.
    for (const entry of shown) {
      // oxlint-disable-next-line no-await-in-loop
      made.push(await entryText(game, entry, query.includeChanges === "true"))
    }
    return made
  })
  const last = shown.at(-1)
  const nextCursor = last !== undefined && end < entries.length ? changelogCursor(gameId, last.id) : null
  return `{"data":[${texts.join(",")}],"pagination":${JSON.stringify({ nextCursor })}}`
})
