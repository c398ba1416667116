import packageJson from "../../../package.json" with { type: "json" }
import { Effect, Option, Schema } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { diskHere, onDisk } from "../../feed/disk/Disk.ts"
import { whereNothingIs } from "./disk.ts"
import type { HomePaths } from "./homePaths.ts"
import { join } from "node:path"

/** The only home format, in a folder or a bucket, that this version reads and writes. */
export const homeFormat = 4

/** `cardlake.json` marks a folder as a home. It is the first file written. */
export const HomeMarker = Schema.Struct({
  format: Schema.Literal(homeFormat),
  /** The version of Cardlake that marked it. */
  cardlakeVersion: Schema.String,
  madeAt: Schema.String,
  /** The bucket home that this home copies, without other writers. Absent if it is no copy. */
  follows: Schema.optionalKey(Schema.String)
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(HomeMarker))
const decodeFormat = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ format: Schema.Int })))

const markerText = (file: string) =>
  onDisk(
    async (disk) => {
      const found = disk.look(file)
      if (found === null) return null
      if (found.kind !== "file") throw new Error("it is not a file")
      return await disk.readText(file).catch(whereNothingIs)
    },
    (cause) =>
      new Fault(
        "MarkerUnreadable",
        `${file} cannot be read (${cause instanceof Error ? cause.message : String(cause)}). It says which version of Cardlake the home is for: check its owner and permissions, or remove it if Cardlake did not write it, then run this again`
      )
  )

/** Returns a folder's marker. Fails if it is unreadable or has another format. */
export const readMarker = Effect.fnUntraced(function* ({ marker, root }: HomePaths) {
  const text = yield* markerText(marker)
  if (text === null) return "missing"
  const format = Option.getOrUndefined(decodeFormat(text))?.format ?? homeFormat
  if (format !== homeFormat) {
    const next = format > homeFormat ? "Update Cardlake, or choose" : "To create one, choose"
    return yield* new Fault(
      "OtherFormat",
      `${root} has format ${format}, and Cardlake ${packageJson.version} reads format ${homeFormat}. ${next} another home with CARDLAKE_HOME or --home`
    )
  }
  return Option.isSome(decode(text)) ? "whole" : "damaged"
})

/** Returns the bucket home that a folder copies; null if it is no copy. */
export const followedBy = Effect.fnUntraced(function* ({ marker }: Pick<HomePaths, "marker">) {
  const text = yield* markerText(marker)
  return (text === null ? undefined : Option.getOrUndefined(decode(text))?.follows) ?? null
})

/** README that marks a home as the demo's; any other text belongs to the user. */
export const demoReadme = {
  name: "README.txt",
  text: "The lake of `cardlake demo`. The next demo replaces this folder.\n"
}

/** True if a home is the demo's. Its dates are fixed, so nothing in it is reported as late. */
export const isDemoHome = (root: string): boolean => {
  const readme = join(root, demoReadme.name)
  const disk = diskHere()
  return disk.exists(readme) && disk.readNow(readme).toString() === demoReadme.text
}
