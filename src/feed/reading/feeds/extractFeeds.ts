import { DateTime, Effect } from "effect"
import type { OfferedFeeds } from "../../client/otherCalls.ts"
import { Marketplace } from "../../client/Marketplace.ts"
import type { MarketplaceError } from "../../client/MarketplaceError.ts"
import { RetryPolicy } from "../../client/RetryPolicy.ts"
import type { DeploymentId, RunId } from "../../contract/Ids.ts"
import { changelogHead } from "../changelogEntries.ts"
import { type Extraction, pickFacts } from "../Extraction.ts"
import { censusMismatch, torn, wordsMismatch } from "../ExtractionError.ts"
import { makeRawFiles } from "../RawFiles.ts"
import { adoptRound } from "../StoredRound.ts"
import { type FeedsToRead, makeFeedRound } from "./feedRound.ts"
import { areUsed, isStanding, type DatedDeployment, shownDeployment } from "./shownDeployment.ts"
import { Fault } from "../../contract/Fault.ts"

/** The maximum number of attempts if the files change while they are read. */
const maxRounds = 5

/** The maximum number of times that a file may differ from the same description. */
const maxWrong = 2

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/** The offer of the service at one moment. */
interface Look {
  readonly head: DatedDeployment | null
  readonly offered: NonNullable<OfferedFeeds>
}

/** True if the key is the cause. Reading page by page would then fail as well. */
const isOfKey = ({ _tag }: MarketplaceError): boolean => _tag === "KeyRefused" || _tag === "BudgetUnasked"

/** The description of a game's feed files is unavailable or invalid. `why` ends with the next step. */
const feedsUnknown = (gameId: string, why: string) =>
  new Fault(
    "FeedsUnknown",
    `The marketplace's answer about the feed files of ${gameId} cannot be used. ${why}; or read it page by page: cardlake nightly --via pages`
  )

const look = Effect.fnUntraced(function* (
  gameId: string
): Effect.fn.Return<Look, Fault<"NoFeeds"> | Fault<"FeedsUnknown"> | MarketplaceError, Marketplace> {
  const marketplace = yield* Marketplace
  const head = yield* changelogHead(gameId)
  const offered = yield* Effect.catchTag(marketplace.feedFiles(gameId), "NotFound", () => Effect.succeed(null)).pipe(
    Effect.mapError((error) => (isOfKey(error) ? error : feedsUnknown(gameId, error.message)))
  )
  if (offered !== null) return { head, offered }
  return yield* new Fault(
    "NoFeeds",
    `The marketplace has no feed files of ${gameId}. Read it page by page: cardlake nightly --via pages`
  )
})

/** True if the facts are unchanged. Prices are rebuilt separately, and the price file that was read was complete. */
const isSettled = (before: Look, after: Look): boolean =>
  before.head?.id === after.head?.id &&
  (["catalog", "expansions"] as const).every((type) => before.offered[type].checksum === after.offered[type].checksum)

interface FeedReading extends Omit<FeedsToRead, "files" | "stored"> {
  readonly runId: RunId
  readonly folder: string
  readonly resume: string | null
  /** True if files older than the changelog are accepted; otherwise the reading fails with `FeedsLag`. */
  readonly takesOld: boolean
  /** Called with the newest deployment if the accepted files do not contain it. */
  readonly onUnshown: (head: DeploymentId) => void
}

/** Begins a round. Continues a crashed round by feed files, because checksums identify the files. */
const beginRound = Effect.fnUntraced(function* (options: FeedReading, number: number, head: string | null) {
  const stored = yield* adoptRound(options.resume, options.folder, ({ via }) => via === "feeds")
  const startedAt = stored?.startedAt ?? (yield* nowText)
  const files = yield* makeRawFiles(options.folder)
  yield* files.startRound(number, head, stored?.startedAt ?? null)
  yield* files.noteFeeds
  return { startedAt, ...makeFeedRound({ ...options, files, stored: stored?.pages ?? new Map() }) }
})

type FeedRound = Effect.Success<ReturnType<typeof beginRound>>

/** Counts the faults of each file. Returns the fault of a file that has failed too often; null if none has. */
const makeWrongCount = (gameId: string) => {
  const times = new Map<string, number>()
  return (
    offered: Look["offered"],
    faults: Effect.Success<ReturnType<FeedRound["read"]>>
  ): Fault<"FeedFailed"> | null => {
    for (const { fault, type } of faults) {
      const key = `${type} ${offered[type].checksum}`
      times.set(key, (times.get(key) ?? 0) + 1)
      if ((times.get(key) ?? 0) >= maxWrong)
        return new Fault(
          "FeedFailed",
          `The ${type} file of ${gameId} cannot be used: ${fault}. Run it again later: cardlake nightly; if it persists, report it to the marketplace, and read page by page: cardlake nightly --via pages`
        )
    }
    return null
  }
}

/** Fails if the files are not one reading. */
const oneReading = (gameId: string, rounds: number, { faults, words }: ReturnType<FeedRound["census"]>) => {
  if (faults.length > 0) return Effect.fail(censusMismatch(gameId, rounds, faults))
  return words === null ? Effect.void : Effect.fail(wordsMismatch(gameId, rounds, words))
}

/**
 * Reads one game consistently by its feed files into `folder`, `extraction.json` last. Returns null if the files are
 * those of the published reading. If the files contain an earlier deployment than the newest, the next night reads the
 * newer facts.
 */
export const extractFeeds = Effect.fn("extractFeeds")(function* (options: FeedReading) {
  const { gameId, published, runId } = options
  const first = yield* look(gameId)
  const tellUnshown = ({ head }: Look, shown: DeploymentId | null) => {
    if (head !== null && head.id !== shown) options.onUnshown(head.id)
  }
  const current = published?.isCurrent === true ? published : null
  if (current !== null && isStanding(current, first)) {
    tellUnshown(first, current.deploymentId)
    return null
  }
  const { baseMillis } = yield* RetryPolicy
  const as = { published: published?.deploymentId ?? null, takesOld: options.takesOld }
  const wrongTooOften = makeWrongCount(gameId)
  const heads: Array<string | null> = []
  let round: FeedRound | null = null

  for (let number = 1; number <= maxRounds; number++) {
    const now: Look = number === 1 ? first : yield* look(gameId)
    const head = now.head?.id ?? null
    heads.push(head)
    const shown = yield* shownDeployment(gameId, now, as)
    tellUnshown(now, shown?.id ?? null)
    // The files are unchanged and still contain the same deployment.
    const isPublished = shown?.id === current?.deploymentId && areUsed(current?.feeds ?? null, now.offered)
    if (round === null && current !== null && isPublished) return null
    round ??= yield* beginRound(options, number, head)
    const faults = yield* round.read(now.offered, number)
    const failed = wrongTooOften(now.offered, faults)
    if (failed !== null) return yield* failed
    if (faults.length > 0) {
      yield* Effect.sleep(baseMillis)
      continue
    }
    yield* oneReading(gameId, number, round.census())
    const lists = yield* round.readLists(as.published, head)
    if (!isSettled(now, yield* look(gameId))) continue
    const extraction: Extraction = {
      gameId,
      runId,
      ...pickFacts(yield* round.finished(lists)),
      via: "feeds",
      head,
      deploymentId: shown?.id ?? null,
      deployedAt: shown?.deployedAt ?? null,
      startedAt: round.startedAt,
      completedAt: yield* nowText,
      rounds: number
    }
    yield* round.files.finish(extraction)
    return extraction
  }
  return yield* torn(gameId, maxRounds, heads)
}, Effect.scoped)
