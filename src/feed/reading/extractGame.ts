import { DateTime, Effect } from "effect"
import type { RunId } from "../contract/Ids.ts"
import { Marketplace } from "../client/Marketplace.ts"
import { type Extraction, pickFacts } from "./Extraction.ts"
import { censusMismatch, torn, wordsMismatch } from "./ExtractionError.ts"
import { makeRawFiles } from "./RawFiles.ts"
import { changelogHead } from "./changelogEntries.ts"
import { readRound, type RoundToRead } from "./readRound.ts"
import type { WordsFault } from "./readingWords.ts"
import { adoptRound } from "./StoredRound.ts"

/** The maximum number of attempts if the head changes or the census does not add up. */
const maxRounds = 5

/** The maximum age of pages that a reading reuses, because prices change daily. */
const maxPauseMillis = 6 * 3600 * 1000

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

interface GameReading
  extends
    Pick<RoundToRead, "gameId" | "previousDeploymentId">,
    Partial<Pick<RoundToRead, "games" | "dialect" | "batches" | "known" | "onProgress">> {
  readonly runId: RunId
  readonly folder: string
  readonly resume?: string | null
  /** Called when an attempt was unusable and another one begins. */
  readonly onRepeat?: (repeat: { readonly round: number; readonly why: string }) => Effect.Effect<void>
}

/**
 * Reads one game consistently into `folder`, `extraction.json` last. `resume` is the folder of a crashed reading. Fails
 * with `Torn`, `CensusMismatch` or `WordsMismatch` after the last attempt. Design: decisions 2 to 4.
 */
export const extractGame = Effect.fn("extractGame")(function* (options: GameReading) {
  const { folder, gameId, previousDeploymentId, runId, onProgress = () => {}, onRepeat = () => Effect.void } = options
  let head = yield* changelogHead(gameId)
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const liveId = head?.id ?? null
  let stored = yield* adoptRound(options.resume ?? null, folder, (stored) => {
    const isRecent = Math.abs(now - Date.parse(stored.startedAt)) <= maxPauseMillis
    return stored.via === "pages" && stored.head === liveId && isRecent
  })
  const startedAt = stored?.startedAt ?? (yield* nowText)
  const files = yield* makeRawFiles(folder)
  const games = options.games ?? (yield* (yield* Marketplace).games)
  const heads = [head?.id ?? null]
  let faults: ReadonlyArray<string> = []
  let wordsFault: WordsFault | null = null

  for (let round = 1; round <= maxRounds; round++) {
    const reading = yield* readRound({
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
      const extraction: Extraction = {
        gameId,
        runId,
        ...pickFacts(reading),
        deploymentId: head?.id ?? null,
        deployedAt: head?.deployedAt ?? null,
        startedAt,
        completedAt: yield* nowText,
        rounds: round
      }
      yield* files.finish(extraction)
      return extraction
    }
    faults = stoodStill ? reading.faults : []
    wordsFault = stoodStill ? reading.wordsFault : null
    const why = stoodStill ? faults : ["the feed changed"]
    yield* files.rejectRound(why)
    if (round < maxRounds) yield* onRepeat({ round: round + 1, why: why.join("; ") })
    stored = null
    head = after
    heads.push(after?.id ?? null)
  }
  if (wordsFault !== null) return yield* wordsMismatch(gameId, maxRounds, wordsFault)
  return yield* faults.length > 0 ? censusMismatch(gameId, maxRounds, faults) : torn(gameId, maxRounds, heads)
}, Effect.scoped)
