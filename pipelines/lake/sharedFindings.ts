import { Clock, Effect, type Redacted } from "effect"
import { countWorkers } from "../../src/night/cluster/cluster.ts"
import { clusterName } from "../../src/night/cluster/clusterPostgres.ts"
import { ageText, bytesText, wallClockText } from "../../src/night/observe/figureTexts.ts"
import { listRuns } from "../../src/night/observe/RunReport.ts"
import { publishedGames } from "../../src/night/observe/examineAge.ts"
import { findRatesFault, maxMissed, missedNights } from "../../src/night/observe/readStatus.ts"
import { formatAmount, grouped } from "../../src/store/diff/formatAmount.ts"
import { type BucketState, examineBucket } from "../../src/store/home/bucket/repair/examineBucket.ts"
import { readLoadedRates } from "../../src/store/lake/fx/loadRates.ts"
import { findBucket } from "../flags/inHome.ts"
import { fleetHome } from "../fleet/fleetMember.ts"
import { readSchedule } from "../settings/readSchedule.ts"
import { bucketServices, withServices } from "../settings/services.ts"
import { doubt, failed, type Finding, type Findings, one, type Watch } from "./Finding.ts"

/** Checks whether the store supports a home, and lists unfinished work. */
export const storeFinding = (flags: Record<string, string>, address: string) =>
  withServices(bucketServices(flags))(examineBucket(address)).pipe(
    Effect.map((bucket) => ({
      says: storeText(address, bucket),
      bucket,
      // A missing home is normal before the first night; later it means a wrong address.
      ...(bucket.hasHome ? {} : { isDoubt: true as const })
    }))
  )

/** Lists objects that a document names but that are missing or differ. Returns no finding if all are intact. */
export const objectFindings = ({ damaged }: BucketState): ReadonlyArray<Finding> =>
  damaged.map(({ next, object, what }) => ({
    name: "objects",
    ok: false,
    says: `${object} is damaged: ${what}. ${next}`
  }))

const storeText = (
  address: string,
  { atWork, attempts, bytes, damaged, hasHome, objects, old }: BucketState
): string => {
  const kept = `The store of ${address} supports conditional writes, as tested just now`
  if (!hasHome)
    return `${kept}. There is no home yet: if there should be one, check the address (CARDLAKE_HOME or --home); else the first night creates it`
  if (objects === 0) return damaged.length > 0 ? kept : `${kept}; it has no unreferenced objects`
  const size = `${formatAmount(objects, "object")} of ${formatAmount(attempts, "attempt")}, ${bytesText(bytes)}`
  const work = atWork === 0 ? "no run is active" : `${grouped(atWork)} wrote within the last hour and may be active`
  const next = old === 0 ? "" : `; the next cardlake prune deletes what is older than a week`
  return `${kept}. Unreferenced: ${size}; ${work}${next}`
}

/** Returns when each game was last read. */
export const readingsText = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const games = yield* publishedGames
  if (games.length === 0) return "No night has been published yet; make the first with: cardlake nightly"
  const ages = games
    .toSorted((a, b) => a.readMillis - b.readMillis)
    .map(({ gameId, readMillis }) => `${gameId} ${ageText(now - readMillis)} ago`)
  return `Start of the last reading: ${ages.join(", ")}`
})

/** Counts the live workers of a home's fleet; empty if it has no fleet. */
export const fleetFindings = Effect.fnUntraced(function* (
  flags: Record<string, string>,
  postgres: Redacted.Redacted | null,
  watch: Watch
) {
  const home = yield* Effect.orElseSucceed(findBucket(flags), () => null)
  return home === null || postgres === null ? [] : yield* watch("the fleet")(workersFound(fleetHome(home), postgres))
})

const workersFound = (home: string, postgres: Redacted.Redacted): Findings =>
  Effect.gen(function* () {
    const alive = yield* countWorkers(home, postgres)
    return [fleetText(alive, clusterName(postgres))]
  }).pipe(Effect.catch((fault) => one("fleet", Effect.fail(fault))))

const fleetText = (alive: number, at: string): Finding =>
  alive === 0
    ? doubt(`No worker is alive at ${at}. Nights of the fleet wait for one. Start it with: cardlake worker`, "fleet")
    : { name: "fleet", ok: true, says: `${formatAmount(alive, "worker")} alive at ${at}` }

const minute = (millis: number): string => `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

/** Formats a time as the wall clock of a zone, followed by UTC. */
export const zonedMinute = (millis: number, zone: string): string => {
  if (zone === "UTC") return minute(millis)
  const [wall, utc] = [wallClockText(millis, zone), minute(millis)]
  return `${wall} ${zone} (${wall.slice(0, 10) === utc.slice(0, 10) ? utc.slice(11) : utc})`
}

/** Describes nights that did not run at the times of a schedule; null if none was missed. */
export const missedText = (missedMillis: ReadonlyArray<number>, zone: string): string | null => {
  const [first] = missedMillis
  if (first === undefined) return null
  const count = missedMillis.length
  return count === 1
    ? `The night of ${zonedMinute(first, zone)} did not run, or ended before it could write a report`
    : `${grouped(count)}${count < maxMissed ? "" : " or more"} nights did not run, or ended without a report, since ${zonedMinute(first, zone)}`
}

/** Describes exchange rates that the last night could not load. */
export const ratesFaultText = (fault: string): string =>
  `The last night could not load newer ones. ${fault}. Then load them: cardlake fx --daily`

/** Doubts about nights that did not run, and about rates that the last one did not load. */
export const nightFindings = Effect.fnUntraced(
  function* (flags: Record<string, string>) {
    const runs = yield* listRuns
    const { schedule } = yield* readSchedule(flags)
    const missed = schedule === null ? null : missedText(yield* missedNights(schedule.cron, runs), schedule.zone)
    const rates = findRatesFault(runs, (yield* Effect.orElseSucceed(readLoadedRates, () => null))?.loadedMillis ?? 0)
    return [
      ...(missed === null ? [] : [doubt(`${missed}. See what to do: cardlake status`, "missed night")]),
      ...(rates === null ? [] : [doubt(ratesFaultText(rates), "rates")])
    ]
  },
  Effect.catch((fault) => Effect.succeed([failed("missed night", fault)]))
)
