import { Clock, Duration, Effect } from "effect"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import type { NightId } from "../../../store/home/bucket/nights/nightId.ts"
import { nightParts, type PartFound, publishParts } from "../../../store/home/bucket/nights/nightParts.ts"
import { checkStore } from "../../../store/home/bucket/homeAround.ts"
import { nightWarning } from "../../observe/Observation.ts"
import { decodeReport } from "./partOfNight.ts"

/** How often a waiting publication checks for parts. */
const lookEvery = Duration.seconds(10)

const isUnfinished = ({ verdict }: PartFound): boolean => verdict === "waiting" || verdict === "failed"

/** Returns the worst verdict of its games. If none is bad, the verdict shows if anything is new. */
const chooseVerdict = (parts: ReadonlyArray<PartFound>, isNew: boolean): PartFound["verdict"] =>
  (["waiting", "failed", "held", "missing"] as const).find((verdict) =>
    parts.some((part) => part.verdict === verdict)
  ) ?? (isNew ? "published" : "unchanged")

/** Publishes the ready parts of a night. Waits up to a limit for unfinished and retryable parts. */
export const runPublish = Effect.fn("runPublish")(function* (
  store: BucketStore,
  night: NightId,
  wait: Duration.Duration
) {
  const untilMillis = (yield* Clock.currentTimeMillis) + Duration.toMillis(wait)
  let found = yield* nightParts(store, night)
  yield* checkStore(store)
  let last = ""
  while (found.parts.some(isUnfinished) && (yield* Clock.currentTimeMillis) < untilMillis) {
    const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
    const why = `parts of ${found.parts.flatMap((part) => (isUnfinished(part) ? part.gameId : [])).join(", ")}`
    const seconds = Math.ceil(leftMillis / 1000)
    if (why !== last) yield* nightWarning("wait", `${night} waits ${seconds} s at most for ${why}`, { seconds, why })
    last = why
    yield* Effect.sleep(Duration.min(lookEvery, Duration.millis(leftMillis)))
    found = yield* nightParts(store, night)
  }
  const changed = yield* publishParts(store, night, found)
  const games = yield* Effect.forEach(
    found.parts,
    Effect.fnUntraced(function* ({ gameId, reason = null, report, verdict }) {
      const runReport = report === null ? null : yield* decodeReport(report)
      const game = runReport?.games.find((one) => one.gameId === gameId)
      return {
        gameId,
        verdict,
        /** True if this publication changed the game's state. */
        isNew: changed.includes(gameId),
        run: report?.run ?? null,
        reason: verdict === "published" ? null : (game?.reason ?? reason),
        snapshot: game?.snapshot ?? null,
        products: game?.products ?? null,
        changes: game?.changes ?? null
      }
    }),
    { concurrency: 8 }
  )
  const byName = games.toSorted((a, b) => (a.gameId < b.gameId ? -1 : 1))
  return { night, verdict: chooseVerdict(found.parts, changed.length > 0), games: byName }
})

export type PublishedNight = Effect.Success<ReturnType<typeof runPublish>>

/** Exit code: 0 published or unchanged, 1 all failed, 3 some held or missing, 4 some failed, 75 some not ready. */
export const exitCodeOfPublication = ({ games, verdict }: PublishedNight): number => {
  if (verdict === "waiting") return 75
  if (verdict === "failed") return games.every((game) => game.verdict === "failed") ? 1 : 4
  return verdict === "held" || verdict === "missing" ? 3 : 0
}
