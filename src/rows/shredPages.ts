import { hash } from "node:crypto"
import { rm } from "node:fs/promises"
import { Effect } from "effect"
import type { PageTaker } from "./PageTaker.ts"
import type { SentPage } from "./takePage.ts"
import { askThread, beginRound, endRound, leaveRound, ThreadCount } from "./pageThreads.ts"

/** Pages of a round that this thread takes apart itself: starting another takes longer than reading so few. */
const pagesHere = 8
const mostBytesHere = 65_536

/** Takes pages apart on other threads, and keeps their records in batches below `folder`. */
export interface PageShredder extends PageTaker {
  /** Whether all records of the round that was read last are there. */
  readonly isWhole: () => boolean
}

/** The pages of a reading whose records were all accepted, by their sums, and the deployment that they belong to. */
export interface KnownPages {
  readonly deploymentId: string | null
  readonly sums: ReadonlySet<string>
}

/**
 * While every page of products is one of `known`, none is shredded: most likely nothing has changed. From the first
 * unknown page on they are; the skipped ones are then shredded from the raw pages, with all others.
 */
export const shredPages = Effect.fnUntraced(function* (folder: string, known: KnownPages | null = null) {
  const most = yield* ThreadCount
  let isWhole = false
  return {
    isWhole: () => isWhole,
    round: (_gameId: string, head: string | null) =>
      Effect.gen(function* () {
        let pages = 0
        let isSame = known !== null && known.deploymentId === head
        let passedOver = 0
        isWhole = false
        yield* Effect.acquireRelease(
          Effect.promise(() => beginRound(folder)),
          () => Effect.promise(() => leaveRound(folder))
        )
        yield* Effect.promise(() => rm(folder, { recursive: true, force: true }))
        const take = (page: SentPage) => {
          const isSmall = pages < pagesHere && page.bytes.length <= mostBytesHere && !page.mayBeLarge
          pages += 1
          const isProducts = page.kind === "products"
          const isKnown = isProducts && isSame && known?.sums.has(hash("sha256", page.bytes)) === true
          if (isProducts && !isKnown) isSame = false
          if (isKnown) passedOver += 1
          return Effect.flatMap(
            Effect.promise(() => askThread({ _tag: "take", folder, page: { ...page, isKnown } }, isSmall ? 0 : most)),
            (done) =>
              done._tag === "took" ? Effect.succeed(done.taken) : Effect.fail(done.cause ?? "it gave no answer")
          )
        }
        const end = Effect.map(
          Effect.promise(() => endRound(folder)),
          (cause) => {
            isWhole = cause === null && passedOver === 0
            return cause
          }
        )
        return { take, end }
      })
  } satisfies PageShredder
})
