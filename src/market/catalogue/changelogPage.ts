import { Effect } from "effect"
import { pageLimits } from "../../contract/Paging.ts"
import { badRequest } from "../answers/badRequest.ts"
import { changelogCursor, entryOfCursor } from "./changelogCursor.ts"
import type { LiveEntry, LiveGame } from "./LiveGame.ts"
import type { Touched, TouchedItem, TouchedItems } from "./StoredCatalogue.ts"

/** The id is written as its digits: it is a number, however long. */
const itemText = ({ slug, id }: TouchedItem) =>
  id === undefined ? `{"slug":${JSON.stringify(slug)}}` : `{"slug":${JSON.stringify(slug)},"id":${id}}`

/** Items per piece: a first deployment may add a million, too many for one text. */
const pieceSize = 10_000

function* listPieces(items: TouchedItems) {
  yield Buffer.from("[")
  let piece = ""
  let count = 0
  for (const item of items) {
    piece += count++ === 0 ? itemText(item) : `,${itemText(item)}`
    if (count % pieceSize > 0) continue
    yield Buffer.from(piece)
    piece = ""
  }
  yield Buffer.from(`${piece}]`)
}

function* touchedPieces({ added, modified, removed }: Touched) {
  yield Buffer.from('{"added":')
  yield* listPieces(added)
  yield Buffer.from(',"modified":')
  yield* listPieces(modified)
  yield Buffer.from(',"removed":')
  yield* listPieces(removed)
  yield Buffer.from("}")
}

const entryPieces = async (
  game: LiveGame,
  { id, deployment, deployedAt, summary }: LiveEntry,
  includeChanges: boolean
): Promise<ReadonlyArray<Uint8Array>> => {
  const text = JSON.stringify({ id, deployedAt, summary })
  if (!includeChanges) return [Buffer.from(text)]
  const { products, expansions } = await game.changes(deployment)
  return [
    Buffer.from(`${text.slice(0, -1)},"changes":{"products":`),
    ...touchedPieces(products),
    Buffer.from(',"expansions":'),
    ...touchedPieces(expansions),
    Buffer.from("}}")
  ]
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
    if (place === -1) return yield* badRequest("cursor", "is not a cursor of this list; start without one")
    start = place + 1
  }
  const end = start + (query.limit ?? pageLimits.cursor.default)
  const shown = entries.slice(start, end)
  const last = shown.at(-1)
  const nextCursor = last !== undefined && end < entries.length ? changelogCursor(gameId, last.id) : null
  return yield* Effect.promise(async () => {
    const pieces: Array<Uint8Array> = [Buffer.from('{"data":[')]
    // One after the other: each may open two deployments.
    for (const [at, entry] of shown.entries()) {
      if (at > 0) pieces.push(Buffer.from(","))
      // oxlint-disable-next-line no-await-in-loop
      pieces.push(...(await entryPieces(game, entry, query.includeChanges === "true")))
    }
    pieces.push(Buffer.from(`],"pagination":${JSON.stringify({ nextCursor })}}`))
    return Buffer.concat(pieces)
  })
})
