import { Effect } from "effect"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { StagedPartition } from "./PlacePartition.ts"
import { daysOf, openLive, putJoined, type JoinsIn, type PutJoined } from "./putJoined.ts"
import type { LiveFile } from "./readBack.ts"

/** What a day's rows do to files of several days. */
export interface Displaced {
  /** One of them has these very rows already. */
  readonly isThere: boolean
  readonly gone: ReadonlyArray<LiveFile>
  /** In place of those that go, without the day. */
  readonly rests: ReadonlyArray<PutJoined>
}

/**
 * Takes a day out of the files of several days that may have it. One that is damaged goes as a whole if `--verify`
 * found that: it has noted all its days, and this export writes them again.
 */
export const displaceDay = Effect.fnUntraced(function* (
  session: Session,
  joins: JoinsIn,
  candidates: ReadonlyArray<LiveFile>,
  { dt, isDamaged, rows, sha256 }: StagedPartition
) {
  const gone: Array<LiveFile> = []
  const holders: Array<LiveFile> = []
  const sums: Array<string | null> = []
  for (const file of candidates) {
    const local = yield* openLive(joins, file, 0).pipe(
      Effect.catchTag("TableUnfit", (fault) => (isDamaged ? Effect.succeed(null) : Effect.fail(fault)))
    )
    if (local === null) {
      gone.push(file)
      continue
    }
    const day = (yield* daysOf(session, file, local)).find((one) => one.dt === dt)
    if (day === undefined) continue
    holders.push(file)
    sums.push(day.sha256)
  }
  if (gone.length === 0 && rows > 0 && sums.length === 1 && sums[0] === sha256)
    return { isThere: true, gone: [], rests: [] } satisfies Displaced
  const rests = yield* Effect.forEach(holders, (file) => putJoined(session, joins, [file], dt))
  return {
    isThere: false,
    gone: [...gone, ...holders],
    rests: rests.filter((rest) => rest !== null)
  } satisfies Displaced
})
