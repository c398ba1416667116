import { DateTime, Effect } from "effect"
import { homeFormat } from "../../HomeMarker.ts"
import type { BucketStore } from "../BucketStore.ts"
import { isGone, swapDocument } from "../bucketDocuments.ts"
import { gameKey, gameOf, lakeKey } from "../bucketKeys.ts"
import { GameDocument } from "../documents.ts"
import { isBehind, openState, readGame } from "../gameInBucket.ts"
import { mendLake, readLake } from "../lakeInBucket.ts"
import { type LostDocuments, namedKeys } from "../namedKeys.ts"
import { mendRuns } from "./mendRuns.ts"

/** Rebuilds missing documents that can be derived. Returns the rebuilt ones, the failures, and the intact games. */
export const mendDocuments = Effect.fn("mendDocuments")(function* (store: BucketStore) {
  const done: Array<string> = []
  const wasGone = yield* Effect.catchIf(Effect.as(readLake(store), false), isGone, () => Effect.succeed(true))
  const lake = yield* mendLake(store)
  if (wasGone) done.push(`${store.urlOf(lakeKey)} is rebuilt from the games' documents`)
  for (const key of lake === null ? [] : yield* mendRuns(store, lake))
    done.push(`${store.urlOf(key)} is rebuilt from the reports of its runs`)
  const at = DateTime.formatIso(yield* DateTime.now)
  for (const [gameId, published] of Object.entries(lake?.games ?? {})) {
    const { number, state } = published
    const isWhole = (there: GameDocument | null) => there !== null && !isBehind(there, published)
    if (isWhole(yield* readGame(store, gameId))) continue
    // If the state is missing as well, neither is rebuilt.
    const opened = yield* Effect.option(openState(store, gameId, state))
    if (opened._tag === "None") continue
    const { held } = opened.value.state
    const verdict = held.length > 0 ? "held" : "ready"
    const made = { format: homeFormat, gameId, state, number, verdict, at, report: null } as const
    yield* swapDocument(store, gameKey(gameId), GameDocument, (there) =>
      Effect.succeed(isWhole(there) ? null : { ...made, leaving: there?.leaving ?? [], writers: there?.writers ?? [] })
    )
    done.push(`${store.urlOf(gameKey(gameId))} is rebuilt from what is published`)
  }
  const lost: LostDocuments = new Map()
  const { games } = yield* namedKeys(store, lost)
  const damaged = new Set([...lost.keys()].map(gameOf))
  const left = [...lost].map(([key, { next, reason }]) => `${store.urlOf(key)} is damaged: ${reason}. ${next}`)
  return { done, left, whole: [...games.keys()].filter((gameId) => !damaged.has(gameId)) }
})

export type MendedDocuments = Effect.Success<ReturnType<typeof mendDocuments>>
