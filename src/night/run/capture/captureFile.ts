import { dirname } from "node:path"
import { open, rm } from "node:fs/promises"
import { existsSync } from "node:fs"
import { Effect, Schema } from "effect"
import { Capture } from "../../../feed/contract/Capture.ts"
import { codeOf, readRegular } from "../../../store/home/disk.ts"
import { outsideHomes } from "../../../store/home/OutputInHome.ts"

/** The capture cannot be written to this file, or the existing file is not a capture. */
export class CaptureFileFailed extends Schema.TaggedError<CaptureFileFailed>()("CaptureFileFailed", {
  file: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `${this.file} ${this.what}`
  }
}

const isThere = "already exists. Name another file, or remove it first"

/** Fails before any request if the capture cannot be written to the file. */
export const captureFileFree = Effect.fnUntraced(function* (file: string) {
  yield* outsideHomes(file)
  if (existsSync(file)) return yield* new CaptureFileFailed({ file, what: isThere })
  if (!existsSync(dirname(file))) {
    return yield* new CaptureFileFailed({ file, what: "cannot be written: its folder does not exist. Create it first" })
  }
})

/** Only the owner may read it, to review it before sharing. */
const mode = 0o600

/** Writes a capture to a new file. */
export const writeCapture = (file: string, capture: Capture) =>
  Effect.tryPromise({
    try: async () => {
      const handle = await open(file, "wx", mode)
      try {
        await handle.writeFile(`${JSON.stringify(capture, null, 2)}\n`)
      } catch (cause) {
        await rm(file, { force: true })
        throw cause
      } finally {
        await handle.close()
      }
    },
    catch: (cause) =>
      new CaptureFileFailed({
        file,
        what:
          codeOf(cause) === "EEXIST"
            ? isThere
            : `cannot be written (${codeOf(cause) || String(cause)}). Check the folder and its permissions`
      })
  })

/** Max file size. A capture has one page of each list. */
const maxBytes = 256 * 1024 * 1024

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Capture))

/** Reads a capture: the stored answers of a marketplace, written by `doctor --capture`. */
export const readCapture = Effect.fnUntraced(function* (file: string) {
  const failed = (what: string) => new CaptureFileFailed({ file, what })
  const text = yield* Effect.tryPromise({
    try: async () => (await readRegular(file, maxBytes)).toString("utf8"),
    catch: (cause) =>
      failed(`cannot be read (${codeOf(cause) || String(cause)}). Make one with: cardlake doctor --capture FILE`)
  })
  return yield* Effect.mapError(decode(text), ({ message }) =>
    failed(`is not a capture (${message.split("\n")[0] ?? ""}). Make one with: cardlake doctor --capture FILE`)
  )
})
