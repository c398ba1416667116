import { join } from "node:path"
import { DateTime, Effect } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Current } from "../Home.ts"
import { isThere } from "../disk.ts"
import { homePaths } from "../homePaths.ts"
import { readJson } from "../jsonFile.ts"
import { type FilesHere, filesHere } from "./changesHere.ts"
import { assureStored } from "./assureStored.ts"
import { BucketBusy } from "./BucketFailed.ts"
import { gameKey, lakeKey } from "./bucketKeys.ts"
import { newAttempt } from "./newAttempt.ts"
import type { CheckedOut, Checkout } from "./checkOut.ts"
import { openState, readGame } from "./gameInBucket.ts"
import { readDocument } from "./bucketDocuments.ts"
import { LakeDocument, type NightPart } from "./documents.ts"
import type { NightId } from "./nights/nightId.ts"
import { PartTaken } from "./PartTaken.ts"
import { sameNight } from "./sameNight.ts"
import { storeAnswers } from "./storeAnswers.ts"
import { freshReport, storeFiles, storeGame } from "./storeGame.ts"
import { isLeaving, markPart, swapGame } from "./swapGame.ts"
import { type Ready, swapLake } from "./swapLake.ts"

/** The games of a command that another runner changed in the meantime. */
export interface Overtaken {
  /** Games of a night for which the other runner has the same result, with its snapshot. */
  readonly same: ReadonlyMap<string, SnapshotId | null>
  /** The games to repeat from the new state. */
  readonly lost: ReadonlyArray<string>
}

export type WorkKind = "night" | "backfill" | "other"

export interface CheckIn<E, R> {
  /** Two nights with equal results are merged; a backfill is added to any state; any other kind is repeated. */
  readonly kind: WorkKind
  readonly settle: (overtaken: Overtaken) => Effect.Effect<void, E, R>
  /** Set for a part of a night: its game is prepared, and published with the others. */
  readonly part?: { readonly night: NightId; readonly verdictOf: (gameId: string) => NightPart["verdict"] } | undefined
}

/** Returns the published snapshots of a checked-out home. */
const currentHere = (root: string) => {
  const { current } = homePaths(root)
  return isThere(current) ? readJson(current, Current) : Effect.succeed({ games: {}, history: [] } satisfies Current)
}

/**
 * Uploads the results of a command from a checked-out home: its objects, each game's newest state, and with `settle`
 * the publication. `settle` gets the games that others changed. Nothing is visible before the first swap.
 */
export const checkIn = Effect.fn("checkIn")(function* <E, R>(
  checkout: Checkout,
  attempt: string,
  { kind, part, settle }: CheckIn<E, R>
) {
  const { games, root, store } = checkout
  const at = DateTime.formatIso(yield* DateTime.now)
  const here = yield* filesHere(checkout)
  const current = yield* currentHere(root)
  // These games were read for the first time.
  for (const gameId of new Set([...here.fresh, ...here.kept].flatMap((file) => file.gameId ?? [])))
    if (!games.has(gameId))
      games.set(gameId, { opened: yield* openState(store, gameId, null), document: null, number: 0, placed: new Set() })
  const told = freshReport(here, root)
  const ofNone = (files: FilesHere) => files.fresh.filter(({ gameId }) => gameId === null)
  yield* storeFiles(store, attempt, ofNone(here))
  // The lake is made from these files; a failed upload of a report is only reported.
  const rates = ofNone(here).filter(({ name }) => !name.startsWith("runs/"))
  if (rates.length > 0) yield* assureStored(store, attempt, { gameId: null, files: rates })
  const report = told === null ? null : ({ run: told.run, file: [told.sha256, told.sizeBytes, attempt] } as const)

  const ready = new Map<string, Ready>()
  const same = new Map<string, SnapshotId | null>()
  const lost: Array<string> = []
  for (const [gameId, game] of games) {
    if (kind === "backfill") {
      const added = yield* addAnswers(checkout, attempt, gameId, { at, here })
      if (added !== null) ready.set(gameId, added)
      continue
    }
    const stored = yield* storeGame(store, attempt, game, { current, here, stored: checkout.stored })
    if (part !== undefined && report !== null) {
      const lake = yield* readDocument(store, lakeKey, LakeDocument)
      if (yield* isLeaving(store, null, lake?.document.leaving ?? [], attempt)) return yield* new PartTaken({ gameId })
      const own: NightPart = { night: part.night, verdict: part.verdictOf(gameId), report }
      const marked = yield* stored === null
        ? markPart(store, game, { at, part: own })
        : swapGame(store, game, { attempt, stored, at, report, part: own })
      if (marked === null) return yield* new PartTaken({ gameId })
      continue
    }
    if (stored === null) {
      if (game.document !== null) ready.set(gameId, game.document)
      continue
    }
    const swapped = yield* swapGame(store, game, { attempt, stored, at, report })
    if (swapped !== null) {
      ready.set(gameId, swapped)
      continue
    }
    const snapshots = join(root, `snapshots/game=${gameId}`)
    const other = kind === "night" ? yield* sameNight(store, snapshots, stored.state) : null
    if (other === null) lost.push(gameId)
    else same.set(gameId, other.live)
  }
  if (part !== undefined) return { same, lost } satisfies Overtaken
  const isOvertaken = same.size + lost.length > 0
  if (isOvertaken) yield* settle({ same, lost })
  const settled = isOvertaken ? yield* filesHere(checkout) : here
  if (isOvertaken) yield* storeFiles(store, attempt, ofNone(settled))
  yield* swapLake(checkout, attempt, { here: settled, ready }).pipe(
    Effect.catchTag("AttemptLeft", () =>
      Effect.gen(function* () {
        const later = yield* newAttempt
        yield* storeFiles(store, later, ofNone(settled))
        yield* swapLake(checkout, later, { here: settled, ready })
      })
    ),
    Effect.catchTag("AttemptLeft", () => new BucketBusy({ document: store.urlOf(lakeKey) }))
  )
  return { same, lost } satisfies Overtaken
})

/** Repeats while other runners are faster, so that no answer is lost. */
const addAnswers = Effect.fnUntraced(function* (
  { root, store }: Checkout,
  attempt: string,
  gameId: string,
  { at, here }: { readonly at: string; readonly here: FilesHere }
) {
  for (let tries = 0; tries < 20; tries++) {
    const document = yield* readGame(store, gameId)
    const opened = yield* openState(store, gameId, document?.state ?? null)
    const game: CheckedOut = { opened, document, number: document?.number ?? 0, placed: new Set() }
    const stored = yield* storeAnswers(store, attempt, game, { here, root })
    if (stored === null) return null
    const swapped = yield* swapGame(store, game, { attempt, stored, at, report: document?.report ?? null })
    if (swapped !== null) return swapped
  }
  return yield* new BucketBusy({ document: gameKey(gameId) })
})
