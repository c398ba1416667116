import { rename } from "node:fs/promises"
import { DateTime, Effect, Schema } from "effect"
import type { OfferedFeeds } from "../../client/feedFiles.ts"
import { Marketplace } from "../../client/Marketplace.ts"
import type { MarketplaceError } from "../../client/MarketplaceError.ts"
import type { Page } from "../../client/RawBody.ts"
import { RetryPolicy } from "../../client/RetryPolicy.ts"
import { wordedIn } from "../../contract/dialect/dialectFrom.ts"
import type { Dialect } from "../../contract/dialect/dialects.ts"
import type { DeploymentId, RunId } from "../../contract/Ids.ts"
import type { Batches } from "../../rows/shredRound.ts"
import { changelogHead } from "../changelogEntries.ts"
import { Extraction } from "../Extraction.ts"
import { CensusMismatch, Torn, WordsMismatch } from "../ExtractionError.ts"
import { makeRawFiles } from "../RawFiles.ts"
import { readStoredRound } from "../StoredRound.ts"
import type { ExtractProgress } from "../readRound.ts"
import { FeedFailed, FeedsUnknown, NoFeeds } from "./FeedError.ts"
import { makeFeedRound } from "./feedRound.ts"
import { areUsed, isStanding, type DatedDeployment, shownDeployment } from "./shownDeployment.ts"
import type { PublishedFeeds } from "./usedFeeds.ts"

/** How often the files are looked at again because they moved meanwhile. */
const maxRounds = 5

/** How often a file may be other than the service says of it, while it says the same. */
const maxWrong = 2

const encode = Schema.encodeEffect(Schema.fromJsonString(Extraction))
const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/** What is offered at one moment. */
interface Look {
  readonly head: DatedDeployment | null
  readonly offered: NonNullable<OfferedFeeds>
}

/** Fails with the key, not with what is said of feed files: by pages it would fail as well. */
const isOfKey = ({ _tag }: MarketplaceError): boolean => _tag === "KeyRefused" || _tag === "BudgetUnasked"

const look = Effect.fnUntraced(function* (
  gameId: string
): Effect.fn.Return<Look, NoFeeds | FeedsUnknown | MarketplaceError, Marketplace> {
  const marketplace = yield* Marketplace
  const head = yield* changelogHead(gameId)
  const offered = yield* Effect.catchTag(marketplace.feedFiles(gameId), "NotFound", () => Effect.succeed(null)).pipe(
    Effect.mapError((error) => (isOfKey(error) ? error : new FeedsUnknown({ gameId, why: error.message })))
  )
  return offered === null ? yield* new NoFeeds({ gameId }) : { head, offered }
})

/** Prices are rebuilt apart from deployments, so their file may be a newer one by now: the one that was read was whole. */
const isSettled = (before: Look, after: Look): boolean =>
  before.head?.id === after.head?.id &&
  (["catalog", "expansions"] as const).every((type) => before.offered[type].checksum === after.offered[type].checksum)

/** The folder of a reading that died, if it was one by feed files: moved here, as its files are known by their checksums. */
const adopt = Effect.fnUntraced(function* (resume: string | null, folder: string) {
  const stored = resume === null ? null : readStoredRound(resume)
  if (stored === null || stored.road !== "feeds") return null
  return yield* Effect.promise(() =>
    rename(stored.folder, folder).then(
      () => stored,
      () => null
    )
  )
})

interface FeedReading {
  readonly gameId: string
  readonly runId: RunId
  readonly folder: string
  readonly published: PublishedFeeds | null
  readonly games: Page<null>
  readonly resume: string | null
  readonly dialect: Dialect | null
  readonly batches: Batches | null
  /** Whether files that lag behind the changelog are taken as they are; else the reading fails with `FeedsLag`. */
  readonly takesOld: boolean
  /** Hears the newest deployment, if the files that are taken do not show it. */
  readonly onUnshown: (head: DeploymentId) => void
  readonly onProgress: (progress: ExtractProgress) => void
}

type FeedRound = Effect.Success<ReturnType<typeof makeFeedRound>>

/** Fails if the files cannot be one reading. */
const oneReading = Effect.fnUntraced(function* (
  gameId: string,
  rounds: number,
  { faults, words }: ReturnType<FeedRound["census"]>
) {
  if (faults.length > 0) return yield* new CensusMismatch({ gameId, rounds, faults })
  if (words === null) return
  const { isOfFile, says, shown } = words
  return yield* new WordsMismatch({ gameId, rounds, fault: says, shown, isOfFile })
})

/** What an extraction says of the files that were read. */
const factsOf = (read: Effect.Success<ReturnType<FeedRound["finished"]>>) => ({
  ...wordedIn(read.dialect),
  road: "feeds" as const,
  ...(read.storedFiles > 0 ? { resumedPages: read.storedFiles } : {}),
  products: read.accepted("catalog"),
  expansions: read.accepted("feedExpansions"),
  refused: read.pages.reduce((sum, page) => sum + page.refused, 0),
  unknownKeys: read.unknownKeys,
  pages: read.pages
})

/**
 * One consistent reading of one game by its feed files into `folder`, `extraction.json` last; null if they are those of
 * the published reading. The files may have shown the facts of an earlier deployment than the newest: then the newer
 * ones are left for the next night.
 */
export const extractFeeds = Effect.fn("extractFeeds")(function* (options: FeedReading) {
  const { folder, gameId, published, runId } = options
  const first = yield* look(gameId)
  const tellUnshown = ({ head }: Look, shown: DeploymentId | null) => {
    if (head !== null && head.id !== shown) options.onUnshown(head.id)
  }
  if (published?.isCurrent === true && isStanding(published, first)) {
    tellUnshown(first, published.deploymentId)
    return null
  }
  const { baseMillis } = yield* RetryPolicy
  const as = { published: published?.deploymentId ?? null, takesOld: options.takesOld }
  const wrong = new Map<string, number>()
  const heads: Array<string | null> = []
  let round: FeedRound | null = null
  let startedAt = ""

  for (let number = 1; number <= maxRounds; number++) {
    const now: Look = number === 1 ? first : yield* look(gameId)
    heads.push(now.head?.id ?? null)
    const shown = yield* shownDeployment(gameId, now, as)
    tellUnshown(now, shown?.id ?? null)
    // The same files, which still show the same deployment.
    if (round === null && published?.isCurrent === true && shown?.id === published.deploymentId) {
      if (areUsed(published.feeds, now.offered)) return null
    }
    if (round === null) {
      const stored = yield* adopt(options.resume, folder)
      startedAt = stored?.startedAt ?? (yield* nowText)
      const files = yield* makeRawFiles(folder)
      yield* files.startRound(number, now.head?.id ?? null, stored?.startedAt ?? null)
      yield* files.noteFeeds
      round = yield* makeFeedRound({ ...options, files, stored: stored?.pages ?? new Map() })
    }
    const faults = yield* round.read(now.offered, number)
    for (const { fault, type } of faults) {
      const times = (wrong.get(`${type} ${now.offered[type].checksum}`) ?? 0) + 1
      wrong.set(`${type} ${now.offered[type].checksum}`, times)
      if (times >= maxWrong) return yield* new FeedFailed({ gameId, file: type, what: fault })
    }
    if (faults.length > 0) {
      yield* Effect.sleep(baseMillis)
      continue
    }
    yield* oneReading(gameId, number, round.census())
    const lists = yield* round.readLists(as.published, now.head?.id ?? null)
    if (!isSettled(now, yield* look(gameId))) continue
    const read = yield* round.finished(lists)
    const extraction: Extraction = {
      gameId,
      runId,
      ...factsOf(read),
      head: now.head?.id ?? null,
      deploymentId: shown?.id ?? null,
      deployedAt: shown?.deployedAt ?? null,
      startedAt,
      completedAt: yield* nowText,
      rounds: number
    }
    yield* round.files.finish(yield* Effect.orDie(encode(extraction)))
    return extraction
  }
  return yield* new Torn({ gameId, rounds: maxRounds, heads })
}, Effect.scoped)
