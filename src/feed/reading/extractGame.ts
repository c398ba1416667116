import { rename } from "node:fs/promises"
import { DateTime, Effect, Schema } from "effect"
import { wordedIn } from "../contract/dialect/dialectFrom.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import type { RunId, DeploymentId } from "../contract/Ids.ts"
import { Marketplace } from "../client/Marketplace.ts"
import type { Page } from "../client/RawBody.ts"
import { Extraction } from "./Extraction.ts"
import { CensusMismatch, Torn, WordsMismatch } from "./ExtractionError.ts"
import { makeRawFiles } from "./RawFiles.ts"
import type { Batches } from "../rows/shredRound.ts"
import { changelogHead } from "./changelogEntries.ts"
import type { KnownPages } from "./knownPages.ts"
import { readRound, type ExtractProgress, type Round } from "./readRound.ts"
import type { WordsFault } from "./readingWords.ts"
import { readStoredRound, type StoredRound } from "./StoredRound.ts"

/** How often a game is read again because its head moved or its census did not add up. */
const maxRounds = 5

/** Prices move once a day: a reading with older pages is not continued, whatever the changelog says. */
const maxPauseMillis = 6 * 3600 * 1000

const encode = Schema.encodeEffect(Schema.fromJsonString(Extraction))
const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/**
 * The round to continue, moved to this run's folder; null if there is
 * none. An unfinished reading that cannot be continued stays where it is.
 */
const adoptRound = Effect.fnUntraced(function* (resume: string | null, folder: string, head: string | null) {
  const stored = resume === null ? null : readStoredRound(resume)
  if (stored === null) return null
  const pauseMillis = DateTime.toEpochMillis(yield* DateTime.now) - Date.parse(stored.startedAt)
  if (stored.road !== "pages" || stored.head !== head || !(Math.abs(pauseMillis) <= maxPauseMillis)) return null
  return yield* Effect.promise(() =>
    rename(stored.folder, folder).then(
      (): StoredRound => ({ ...stored, folder }),
      () => null
    )
  )
})

/** What a reading found, if its round can be used. */
const extractionOf = (
  { dialect, pages, resumedPages, unknownKeys }: Round,
  head: Effect.Success<ReturnType<typeof changelogHead>>,
  of: Pick<Extraction, "gameId" | "runId" | "startedAt" | "completedAt" | "rounds">
): Extraction => {
  const count = (kind: string) =>
    pages.reduce((sum, page) => (page.kind === kind ? sum + page.records - page.refused : sum), 0)
  return {
    ...of,
    ...wordedIn(dialect),
    deploymentId: head?.id ?? null,
    deployedAt: head?.deployedAt ?? null,
    ...(resumedPages > 0 ? { resumedPages } : {}),
    products: count("products"),
    expansions: count("expansions"),
    refused: pages.reduce((sum, page) => sum + page.refused, 0),
    unknownKeys: [...unknownKeys.values()],
    pages
  }
}

/**
 * One consistent reading of one game into `folder`, `extraction.json` last; `resume` is the folder of a reading
 * that died. Fails with {@link Torn}, {@link CensusMismatch} or {@link WordsMismatch} after the last round. Design: decisions 2 to 4.
 */
export const extractGame = Effect.fn("extractGame")(function* (options: {
  readonly gameId: string
  readonly runId: RunId
  readonly folder: string
  /** The last known deployment: the changelog is read back to it, with changes. */
  readonly previousDeploymentId: DeploymentId | null
  /** The page of {@link listGames}, so that a run over many games requests it once. */
  readonly games?: Page<null>
  readonly resume?: string | null
  /** The words to read its pages in; default: those that they show. */
  readonly dialect?: Dialect | null
  /** Where its records go; default: only the pages are stored. */
  readonly batches?: Batches
  /** What was published last, if a reading that is equal to it needs not be used. */
  readonly known?: KnownPages | null
  readonly onProgress?: (progress: ExtractProgress) => void
  /** A round could not be used, and another one begins. */
  readonly onRepeat?: (repeat: { readonly round: number; readonly why: string }) => Effect.Effect<void>
}) {
  const { folder, gameId, previousDeploymentId, runId, onProgress = () => {}, onRepeat = () => Effect.void } = options
  let head = yield* changelogHead(gameId)
  let stored = yield* adoptRound(options.resume ?? null, folder, head?.id ?? null)
  const startedAt = stored?.startedAt ?? (yield* nowText)
  const files = yield* makeRawFiles(folder)
  const games = options.games ?? (yield* (yield* Marketplace).games)
  const heads = [head?.id ?? null]
  let faults: ReadonlyArray<string> = []
  let wordsFault: WordsFault | null = null

  for (let round = 1; round <= maxRounds; round++) {
    const reading: Round = yield* readRound({
      gameId,
      round,
      head: head?.id ?? null,
      files,
      dialect: options.dialect ?? null,
      batches: options.batches ?? null,
      known: options.known ?? null,
      games,
      stored,
      previousDeploymentId,
      onProgress
    })
    const after = yield* changelogHead(gameId)
    const stoodStill = after?.id === head?.id && !reading.moved
    if (stoodStill && reading.faults.length === 0) {
      const completedAt = yield* nowText
      const extraction = extractionOf(reading, head, { gameId, runId, startedAt, completedAt, rounds: round })
      yield* files.finish(yield* Effect.orDie(encode(extraction)))
      return extraction
    }
    faults = stoodStill ? reading.faults : []
    wordsFault = stoodStill ? reading.wordsFault : null
    const why = stoodStill ? faults : ["the feed moved"]
    yield* files.rejectRound(why)
    if (round < maxRounds) yield* onRepeat({ round: round + 1, why: why.join("; ") })
    stored = null
    head = after
    heads.push(after?.id ?? null)
  }
  if (wordsFault !== null) {
    const { isOfFile, says, shown } = wordsFault
    return yield* new WordsMismatch({ gameId, rounds: maxRounds, fault: says, shown, isOfFile })
  }
  return yield* faults.length > 0
    ? new CensusMismatch({ gameId, rounds: maxRounds, faults })
    : new Torn({ gameId, rounds: maxRounds, heads })
}, Effect.scoped)
