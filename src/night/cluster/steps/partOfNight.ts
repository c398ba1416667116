import { Effect, Schema } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import type { StoredReport } from "../../../store/home/bucket/documents.ts"
import { type LakeHead, openLake, readGame } from "../../../store/home/bucket/gameInBucket.ts"
import { homeIsThere, noNightThere } from "../../../store/home/bucket/homeAround.ts"
import {
  isReadLater,
  lastNight,
  mayBePlanned,
  isLaterNight,
  type NightId
} from "../../../store/home/bucket/nights/nightId.ts"
import { readOrRepairLake } from "../../../store/home/bucket/repair/repairDocuments.ts"
import { RunReport } from "../../observe/RunReport.ts"
import { BucketFailed } from "../../../store/home/bucket/BucketFailed.ts"
import { reportsFolder } from "../../../store/home/bucket/bucketKeys.ts"

/**
 * A part of a night. `done` says if this run read the game, an earlier one did, or nothing was to be read. Its verdict
 * is that of the game's reading; `published` means ready until `isPublished`.
 */
export type PartReport = { readonly night: NightId } & (
  | ({ readonly done: "now" | "before"; readonly isPublished: boolean } & RunReport)
  | {
      readonly done: "later" | "nothing"
      readonly run: null
      readonly verdict: "unchanged"
      readonly reason: string
      readonly games: ReadonlyArray<never>
    }
)

export const noPart = (night: NightId, done: "later" | "nothing", reason: string): PartReport => ({
  night,
  done,
  run: null,
  verdict: "unchanged",
  reason,
  games: []
})

const lakeOfSteps = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readOrRepairLake(store)
  if (lake === null && !(yield* homeIsThere(store)))
    return yield* new Fault("PartUnknown", noNightThere(store.address), 2)
  return lake
})

/** Returns the game with this number in the plan of a night; null if the plan has fewer games. */
export const gameOfPlan = Effect.fnUntraced(function* (store: BucketStore, night: NightId, index: number) {
  const planned = (yield* lakeOfSteps(store))?.commit.nights?.planned ?? null
  if (planned?.night !== night) {
    const last = planned === null ? "No night is planned" : `The last planned night is ${planned.night}`
    return yield* new Fault(
      "PartUnknown",
      `${last}, so no game of ${night} has a number. Name the game, or plan a night with: cardlake plan`,
      2
    )
  }
  return planned.games[index] ?? null
})

/** True if the lake lists a run, i.e. the snapshots that it prepared are published. */
const isListed = (store: BucketStore, lake: LakeHead | null, run: RunId) =>
  Effect.map(
    openLake(store, lake).find({ gameId: null, folder: reportsFolder, name: `${run}.json` }),
    (found) => found !== null
  )

/** Returns the finished part of a game; null if it is still to be read. A failed part is read again. */
export const partDone = Effect.fnUntraced(function* (store: BucketStore, night: NightId, gameId: string) {
  const lake = yield* lakeOfSteps(store)
  const last = lastNight(lake?.commit.nights)
  if (!mayBePlanned(night, last)) {
    const than =
      last === null
        ? ""
        : isLaterNight(night, last)
          ? `; the last one is ${last}`
          : ` within a week before the last one, ${last}`
    return yield* new Fault("PartUnknown", `Night ${night} is not planned${than}. Plan one with: cardlake plan`, 2)
  }
  const part = (yield* readGame(store, gameId))?.commit.part
  if (part === undefined || (part.night !== night && !isReadLater(part.night, night))) return null
  if (part.night !== night)
    return noPart(night, "later", `${gameId} was already read for ${part.night}, which is later. Nothing was done`)
  if (part.verdict === "failed") return null
  const report = yield* decodeReport(part.report)
  const isPublished = yield* isListed(store, lake, part.report.run)
  return { ...report, night, done: "before", isPublished } satisfies PartReport
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(RunReport))

/** Decodes the report of a run that a commit contains. */
export const decodeReport = ({ run, text }: StoredReport) =>
  Effect.mapError(
    decode(text),
    () =>
      new BucketFailed({
        step: `Read the report of ${run}`,
        reason: "it is not a report that this version can read",
        next: "Update Cardlake"
      })
  )
