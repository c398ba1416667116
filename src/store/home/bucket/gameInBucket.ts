import { homeFormat } from "../HomeMarker.ts"
import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { documentBehind, documentGone, fetchDocument, readDocument } from "./bucketDocuments.ts"
import { gameKey } from "./bucketKeys.ts"
import {
  GameDocument,
  GameState,
  type LakeDocument,
  type ListedFolder,
  MonthOfGame,
  type Ref,
  StoredFiles
} from "./documents.ts"
import { nextOfDocument } from "./nextOfDamage.ts"
import { monthOfFolder, placeOf } from "./placeOf.ts"

/** Reads a game's document and the state that it names. */
export const readGame = Effect.fnUntraced(function* (store: BucketStore, gameId: string) {
  const found = yield* readDocument(store, gameKey(gameId), GameDocument, (found) => found.gameId === gameId)
  return found?.document ?? null
})

/** True if an attempt has published: a list of runs contains its report. */
const hasPublished = Effect.fnUntraced(function* (store: BucketStore, attempt: string) {
  const lists = (yield* store.list("shared/runs/"))
    .filter(({ path }) => /\/runs\.\w+\.json$/.test(path))
    .toSorted((a, b) => b.writtenMillis - a.writtenMillis)
  for (const { path } of lists)
    if (path.includes(`/attempt-${attempt}/`) || (yield* store.read(path))?.text.includes(`"${attempt}"`)) return true
  return false
})

/** A game's entry in the lake, from before its document was read. */
type Published = LakeDocument["games"][string] | undefined

/** True if a document is older than the lake's entry, because a backup replaced it. */
export const isBehind = ({ number }: GameDocument, published: Published): boolean => number < (published?.number ?? 0)

/**
 * Reads a game's document and state. Fails if the document is older than the lake, or missing although the lake names
 * the game, a state follows another one, or a state was published.
 */
export const readKnownGame = Effect.fnUntraced(function* (store: BucketStore, gameId: string, published: Published) {
  const document = yield* readGame(store, gameId)
  if (document !== null && isBehind(document, published)) return yield* documentBehind(store, gameKey(gameId))
  if (document !== null) return document
  if (published !== undefined) return yield* documentGone(store, gameKey(gameId))
  for (const { path } of (yield* store.list(`games/${gameId}/state/`)).toReversed()) {
    const [, attempt = "", sha256 = ""] = /attempt-([^/]+)\/state\.(\w+)\.json$/.exec(path) ?? []
    const state = yield* fetchDocument(store, { gameId, kind: "state", ref: { attempt, sha256 }, schema: GameState })
    if (state.number > 1 || (yield* hasPublished(store, attempt)))
      return (yield* readGame(store, gameId)) ?? (yield* documentGone(store, gameKey(gameId), nextOfDocument))
  }
  return null
})

export const emptyState = (gameId: string): GameState => ({
  format: homeFormat,
  gameId,
  number: 0,
  live: null,
  published: [],
  held: [],
  steps: [],
  months: {},
  files: { attempt: "", files: {} }
})

/** Opens a state of a game, whose months are read on demand. */
export const openState = Effect.fnUntraced(function* (store: BucketStore, gameId: string, ref: Ref | null) {
  const state =
    ref === null
      ? emptyState(gameId)
      : yield* fetchDocument(store, {
          gameId,
          kind: "state",
          ref,
          schema: GameState,
          fits: (found) => found.gameId === gameId
        })
  const months = new Map<string, MonthOfGame>()

  const month = Effect.fnUntraced(function* (name: string) {
    const known = months.get(name)
    if (known !== undefined) return known
    const ref = state.months[name]
    const found: MonthOfGame =
      ref === undefined
        ? { folders: {} }
        : yield* fetchDocument(store, {
            gameId,
            kind: "month",
            ref,
            schema: MonthOfGame,
            fits: ({ folders }) => Object.keys(folders).every((path) => placeOf(`${path}/file`)?.gameId === gameId)
          })
    months.set(name, found)
    return found
  })

  /** Returns a folder by its path in a home; null if the state has none. */
  const folder = (path: string) => Effect.map(month(monthOfFolder(path)), ({ folders }) => folders[path] ?? null)

  return { gameId, ref, state, month, folder }
})

export type OpenState = Effect.Success<ReturnType<typeof openState>>

/** Downloads the files' list of a folder that has a separate document for it. */
export const fetchList = (store: BucketStore, gameId: string, { list }: ListedFolder) =>
  fetchDocument(store, { gameId, kind: "list", ref: list, schema: StoredFiles })
