import { Effect, Schema, Stream } from "effect"
import { Disk, onDisk } from "../disk/Disk.ts"
import { errorCode } from "../disk/makeFolders.ts"
import { Extraction } from "./Extraction.ts"
import { Refusal, shortened } from "../rows/acceptPage.ts"
import { ExtractionUnreadable } from "./ExtractionError.ts"
import { download } from "./RemoteFiles.ts"
import { rawNames } from "./RawFiles.ts"

const decodeExtraction = Schema.decodeEffect(Schema.fromJsonString(Extraction))
const decodeRefusal = Schema.decodeEffect(Schema.fromJsonString(Refusal))

const unreadable = (folder: string) => (error: unknown) =>
  error instanceof ExtractionUnreadable
    ? error
    : new ExtractionUnreadable({
        folder,
        cause: errorCode(error) === "ENOENT" ? "it is missing" : error instanceof Error ? error.message : String(error)
      })

/** Reads the complete extraction in a folder; fails if there is none. */
export const readExtraction = Effect.fnUntraced(
  function* (folder: string) {
    const file = `${folder}/${rawNames.extraction}`
    yield* download(file)
    return yield* decodeExtraction(yield* onDisk((disk) => disk.readText(file), unreadable(folder)))
  },
  (effect, folder) => Effect.mapError(effect, unreadable(folder))
)

/** Streams the refusals of the extraction in a folder, by page and position; one in memory at a time. */
export const readRefusals = (folder: string) =>
  Stream.unwrap(
    Effect.map(Effect.tap(Disk, download(`${folder}/${rawNames.refusals}`)), (disk) =>
      Stream.fromAsyncIterable<Uint8Array, ExtractionUnreadable>(
        disk.readStream(`${folder}/${rawNames.refusals}`),
        unreadable(folder)
      ).pipe(
        Stream.decodeText,
        Stream.splitLines,
        Stream.filter((line) => line !== ""),
        Stream.mapEffect((line) => decodeRefusal(line))
      )
    )
  ).pipe(Stream.mapError(unreadable(folder)))

/**
 * Returns the number of an extraction's refused records that belong to its game. Every reading stores the list of all
 * games, so a refused record of another game in that list does not count.
 */
export const refusedOfGame = Effect.fnUntraced(function* ({ gameId, pages, refused }: Extraction, folder: string) {
  const listed = pages.filter(({ kind }) => kind === "games").reduce((sum, page) => sum + page.refused, 0)
  if (listed === 0) return refused
  const own = yield* Stream.runCount(
    Stream.filter(readRefusals(folder), ({ id, kind }) => kind === "games" && id === shortened(gameId))
  )
  return refused - listed + own
})
