import { dirname } from "node:path"
import { Effect, Schema } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { Capture } from "../../../feed/contract/Capture.ts"
import { onDisk } from "../../../feed/disk/Disk.ts"
import { isThere, readRegular } from "../../../store/home/disk.ts"
import { errorCode } from "../../../feed/disk/makeFolders.ts"
import { outsideHomes } from "../../../store/home/OutputInHome.ts"

const failed = (file: string, what: string) => new Fault("CaptureFileFailed", `${file} ${what}`)

const fileExists = "already exists. Name another file, or remove it first"

/** Fails before any request if the capture cannot be written to the file. */
export const captureFileFree = Effect.fnUntraced(function* (file: string) {
  yield* outsideHomes(file)
  if (isThere(file)) return yield* failed(file, fileExists)
  if (!isThere(dirname(file))) {
    return yield* failed(file, "cannot be written: its folder does not exist. Create it first")
  }
})

/** Only the owner may read it, to review it before sharing. */
const mode = 0o600

export const writeCapture = (file: string, capture: Capture) =>
  onDisk(
    (disk) =>
      disk
        .write(file, `${JSON.stringify(capture, null, 2)}\n`, { exclusive: true, mode })
        .catch(async (cause: unknown) => {
          if (errorCode(cause) !== "EEXIST") await disk.removeFile(file)
          throw cause
        }),
    (cause) =>
      failed(
        file,
        errorCode(cause) === "EEXIST"
          ? fileExists
          : `cannot be written (${errorCode(cause) || String(cause)}). Check the folder and its permissions`
      )
  )

/** Max file size. A capture has one page of each list. */
const maxBytes = 256 * 1024 * 1024

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Capture))

/** Reads a capture: the stored answers of a marketplace, written by `doctor --capture`. */
export const readCapture = Effect.fnUntraced(function* (file: string) {
  const text = yield* onDisk(
    async (disk) => (await readRegular(disk, file, maxBytes)).toString("utf8"),
    (cause) =>
      failed(
        file,
        `cannot be read (${errorCode(cause) || String(cause)}). Make one with: cardlake doctor --capture FILE`
      )
  )
  return yield* Effect.mapError(decode(text), ({ message }) =>
    failed(file, `is not a capture (${message.split("\n")[0] ?? ""}). Make one with: cardlake doctor --capture FILE`)
  )
})
