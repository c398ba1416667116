import { Effect, FileSystem, PlatformError, Schema, Stream } from "effect"
import { Extraction } from "./Extraction.ts"
import { Refusal } from "../rows/Refusal.ts"
import { ExtractionUnreadable } from "./ExtractionError.ts"
import { obtained } from "./StandIns.ts"
import { rawNames } from "./RawFiles.ts"
import { shortened } from "../rows/acceptPage.ts"

const decodeExtraction = Schema.decodeEffect(Schema.fromJsonString(Extraction))
const decodeRefusal = Schema.decodeEffect(Schema.fromJsonString(Refusal))

const isGone = (error: Error): boolean =>
  error instanceof PlatformError.PlatformError && error.reason._tag === "NotFound"

const unreadable = (folder: string) => (error: Error) =>
  new ExtractionUnreadable({ folder, cause: isGone(error) ? "it is missing" : error.message })

/** The complete extraction in a folder; fails if there is none. */
export const readExtraction = Effect.fnUntraced(
  function* (folder: string) {
    const fs = yield* FileSystem.FileSystem
    yield* obtained(`${folder}/${rawNames.extraction}`)
    return yield* decodeExtraction(yield* fs.readFileString(`${folder}/${rawNames.extraction}`))
  },
  (effect, folder) => Effect.mapError(effect, unreadable(folder))
)

/** The refusals of the extraction in a folder, by page and position; one in memory at a time. */
export const readRefusals = (folder: string) =>
  Stream.unwrap(
    Effect.map(Effect.tap(FileSystem.FileSystem, obtained(`${folder}/${rawNames.refusals}`)), (fs) =>
      fs.stream(`${folder}/${rawNames.refusals}`).pipe(
        Stream.decodeText,
        Stream.splitLines,
        Stream.filter((line) => line !== ""),
        Stream.mapEffect((line) => decodeRefusal(line))
      )
    )
  ).pipe(Stream.mapError(unreadable(folder)))

/**
 * How many refused records of an extraction are the game's own. Every reading stores the list of all games: a record
 * of another game that the contract refuses there is that game's.
 */
export const refusedOfGame = Effect.fnUntraced(function* ({ gameId, pages, refused }: Extraction, folder: string) {
  const listed = pages.filter(({ kind }) => kind === "games").reduce((sum, page) => sum + page.refused, 0)
  if (listed === 0) return refused
  const own = yield* Stream.runCount(
    Stream.filter(readRefusals(folder), ({ id, kind }) => kind === "games" && id === shortened(gameId))
  )
  return refused - listed + own
})
