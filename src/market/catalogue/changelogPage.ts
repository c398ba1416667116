import { Effect } from "effect"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { badRequest } from "../answers/refusals.ts"
import { Words, type Wording } from "../wording/Wording.ts"
import type { LiveEntry, LiveGame } from "./LiveGame.ts"
import type { StoredDeployment, Touched, TouchedItem, TouchedItems } from "./StoredCatalogue.ts"

/** Returns an opaque cursor for a page's last entry. Later entries do not invalidate it. Spec: cursor pagination. */
const changelogCursor = (gameId: string, entryId: string): string =>
  Buffer.from(JSON.stringify([gameId, entryId])).toString("base64url")

/** Returns the entry id in a cursor of this game; `undefined` for any other text. */
const entryOfCursor = (gameId: string, cursor: string): string | undefined => {
  try {
    const [game, entryId] = JSON.parse(Buffer.from(cursor, "base64url").toString())
    return game === gameId && typeof entryId === "string" && changelogCursor(gameId, entryId) === cursor
      ? entryId
      : undefined
  } catch {
    return undefined
  }
}

/** The key under which an item has its id, which items have an id, and whether products use the slugs of feed files. */
interface IdRule {
  readonly word: string
  readonly isNamed: (id: string) => boolean
  readonly hasFeedSlugs: boolean
}

/** Formats an item as JSON. The id is a number of any length, written as its digits. */
const itemText = ({ feedSlug, id, slug }: TouchedItem, { hasFeedSlugs, isNamed, word }: IdRule) => {
  const text = `{"slug":${JSON.stringify(hasFeedSlugs ? (feedSlug ?? slug) : slug)}`
  return id === undefined || !isNamed(id) ? `${text}}` : `${text},"${word}":${id}}`
}

/** Returns the id rules of the dialect, for products and expansions of the live deployment. */
const idRules = ({ changedIds, hasFeedSlugs, onlyPresentIds }: Wording, { expansions, products }: StoredDeployment) => {
  const known = new Set(onlyPresentIds ? expansions.map(({ id }) => id) : [])
  const rule = (word: string | undefined, isPresent: (id: string) => boolean): IdRule => ({
    word: word ?? "",
    hasFeedSlugs,
    isNamed: (id) => word !== undefined && (!onlyPresentIds || isPresent(id))
  })
  return {
    products: rule(changedIds?.products, (id) => products.find(id) !== undefined),
    expansions: rule(changedIds?.expansions, (id) => known.has(id))
  }
}

/** Items per text chunk. A first deployment may add a million items, too many for one string. */
const pieceSize = 10_000

function* listPieces(items: TouchedItems, rule: IdRule) {
  yield Buffer.from("[")
  let piece = ""
  let count = 0
  for (const item of items) {
    piece += count++ === 0 ? itemText(item, rule) : `,${itemText(item, rule)}`
    if (count % pieceSize > 0) continue
    yield Buffer.from(piece)
    piece = ""
  }
  yield Buffer.from(`${piece}]`)
}

function* touchedPieces({ added, modified, removed }: Touched, rule: IdRule) {
  yield Buffer.from('{"added":')
  yield* listPieces(added, rule)
  yield Buffer.from(',"modified":')
  yield* listPieces(modified, rule)
  yield Buffer.from(',"removed":')
  yield* listPieces(removed, rule)
  yield Buffer.from("}")
}

const entryPieces = async (
  game: LiveGame,
  { id, deployment, deployedAt, summary }: LiveEntry,
  ids: ReturnType<typeof idRules> | undefined
): Promise<ReadonlyArray<Uint8Array>> => {
  const text = JSON.stringify({ id, deployedAt, summary })
  if (ids === undefined) return [Buffer.from(text)]
  const { products, expansions } = await game.changes(deployment)
  return [
    Buffer.from(`${text.slice(0, -1)},"changes":{"products":`),
    ...touchedPieces(products, ids.products),
    Buffer.from(',"expansions":'),
    ...touchedPieces(expansions, ids.expansions),
    Buffer.from("}}")
  ]
}

/** Returns a page of a game's changelog as JSON text, newest entry first. Fails with 400 for an unknown cursor. */
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
  const wording = yield* Words.ask
  return yield* Effect.promise(async () => {
    const ids = query.includeChanges === "true" ? idRules(wording, await game.open(game.live())) : undefined
    const pieces: Array<Uint8Array> = [Buffer.from('{"data":[')]
    // Sequential, because each entry may open two deployments.
    for (const [at, entry] of shown.entries()) {
      if (at > 0) pieces.push(Buffer.from(","))
      // oxlint-disable-next-line no-await-in-loop
      pieces.push(...(await entryPieces(game, entry, ids)))
    }
    pieces.push(Buffer.from(`],"pagination":${JSON.stringify({ nextCursor })}}`))
    return Buffer.concat(pieces)
  })
})
