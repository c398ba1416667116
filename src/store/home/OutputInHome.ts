import { basename, dirname, join, resolve } from "node:path"
import { Effect, Schema } from "effect"
import { Disk } from "../../feed/disk/Disk.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** The requested output file would be inside a home. */
export class OutputInHome extends Schema.TaggedError<OutputInHome>()("OutputInHome", {
  file: Schema.String,
  home: Schema.String
}) {
  override get message() {
    return `${this.file} is in the home ${this.home}, where only Cardlake writes. Write it elsewhere`
  }
}

/** Returns the real path of a file that may not exist yet. */
const resolvePath = (disk: Disk, file: string): string => {
  const whole = resolve(file)
  if (disk.exists(whole)) return disk.realPath(whole)
  return disk.exists(dirname(whole)) ? join(disk.realPath(dirname(whole)), basename(whole)) : whole
}

/**
 * Fails with {@link OutputInHome} if a file would be inside a folder with a home's marker, and with
 * `OutputNoFile` if it would replace something other than a file.
 */
export const outsideHomes = Effect.fnUntraced(function* (file: string) {
  const disk = yield* Disk
  if (disk.exists(file) && disk.look(file)?.kind !== "file")
    return yield* new Fault("OutputNoFile", `${file} is not a regular file. Nothing was written to it. Name a file`)
  for (let at = dirname(resolvePath(disk, file)); ; at = dirname(at)) {
    if (disk.exists(join(at, "cardlake.json"))) return yield* new OutputInHome({ file, home: at })
    if (at === dirname(at)) return
  }
})

/** As {@link outsideHomes}, for a writer that creates no folder. Fails with `OutputNoFolder` if it is missing. */
export const outputFile = Effect.fnUntraced(function* (file: string) {
  yield* outsideHomes(file)
  const [disk, folder] = [yield* Disk, dirname(resolve(file))]
  if (!disk.exists(folder) || disk.look(folder)?.kind !== "folder")
    return yield* new Fault("OutputNoFolder", `${file} cannot be written: its folder does not exist. Create it first`)
})
