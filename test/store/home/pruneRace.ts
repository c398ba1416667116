import { assert } from "@effect/vitest"
import { hash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"
import { storeDocument, swapDocument } from "../../../src/store/home/bucket/bucketDocuments.ts"
import { fileKey, lakeKey } from "../../../src/store/home/bucket/bucketKeys.ts"
import { emptyLake } from "../../../src/store/home/bucket/checkOut.ts"
import { GameState, LakeDocument } from "../../../src/store/home/bucket/documents.ts"
import { emptyState, openState, readGame } from "../../../src/store/home/bucket/gameInBucket.ts"
import { namedKeys } from "../../../src/store/home/bucket/namedKeys.ts"
import { newAttempt } from "../../../src/store/home/bucket/newAttempt.ts"
import { sweepBucket } from "../../../src/store/home/bucket/sweepBucket.ts"
import { swapGame } from "../../../src/store/home/bucket/swapGame.ts"
import { startConditionalStore, useStore } from "./conditionalStore.ts"

const gameId = "amber"
const week = 7 * 24 * 3600 * 1000

/**
 * A publisher that was silent for more than a week and a prune that takes its objects for litter, at the same moment:
 * whoever is first, everything that is named is there, then and after the prunes of the next weeks. Returns how often
 * the publisher won.
 */
export const racePrunes = async (races: number): Promise<number> => {
  const server = await startConditionalStore()
  let won = 0
  const nothingIsGone = (named: ReadonlyMap<string, unknown>, when: string) => {
    for (const key of named.keys()) assert.isTrue(server.objects.has(`races/${key}`), `${when}: ${key}`)
  }
  try {
    await useStore(
      server.env,
      "s3://lakes/races",
      Effect.fnUntraced(function* (store) {
        for (let race = 0; race < races; race++) {
          const attempt = yield* newAttempt
          const document = yield* readGame(store, gameId)
          const opened = yield* openState(store, gameId, document?.state ?? null)
          const body = Buffer.from(`race ${race}`)
          const name = `deployments/game=${gameId}/x.parquet`
          const sha256 = hash("sha256", body)
          yield* store.create(fileKey(gameId, { path: name, name, attempt, sha256 }), body, body.length)
          const number = document?.number ?? 0
          const files = { attempt, files: { [name]: [sha256, body.length] as const } }
          const state: GameState = { ...emptyState(gameId), number: number + 1, files }
          const ref = yield* storeDocument(store, { gameId, kind: "state", attempt, schema: GameState, value: state })
          server.state.clock += week + 60_000
          const nowMillis = Date.now() + server.state.clock
          server.state.before = async () => {
            await setTimeout(Math.random() * 3)
            return false
          }
          const publishes = Effect.gen(function* () {
            // A sweep looks at everything before it writes.
            yield* Effect.sleep(Math.random() * 120)
            const at = "2026-05-01T00:00:00.000Z"
            const game = { opened, document, number, placed: new Set<string>() }
            const swapped = yield* swapGame(store, game, {
              attempt,
              stored: { ref, state, held: [] },
              at,
              report: null
            })
            if (swapped === null) return false
            yield* swapDocument(store, lakeKey, LakeDocument, (there) =>
              Effect.succeed({ ...(there ?? emptyLake), games: { [gameId]: { state: ref, number: number + 1 } } })
            )
            return true
          })
          const sweeps = sweepBucket(store, yield* newAttempt, nowMillis)
          const [isPublished] = yield* Effect.all([publishes, sweeps], { concurrency: 2 })
          if (isPublished) won++
          server.state.before = () => false
          nothingIsGone((yield* namedKeys(store)).named, `race ${race}`)
        }
        for (let later = 0; later < 3; later++) {
          server.state.clock += week + 60_000
          yield* sweepBucket(store, yield* newAttempt, Date.now() + server.state.clock)
          nothingIsGone((yield* namedKeys(store)).named, `week ${later}`)
        }
        // What lost is gone in the end.
        const { named } = yield* namedKeys(store)
        const left = [...server.objects.keys()].filter((key) => !named.has(key.slice("races/".length)))
        assert.isBelow(left.length, 8, left.join())
      })
    )
    return won
  } finally {
    await server.stop()
  }
}
