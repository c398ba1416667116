import { basename, dirname, join, resolve } from "node:path"
import { Effect, Schema } from "effect"
import { Disk } from "../../feed/disk/Disk.ts"

/** The requested output file would be inside a home. */
export class OutputInHome extends Schema.TaggedError<OutputInHome>()("OutputInHome", {
  file: Schema.String,
  home: Schema.String
}) {
  override get message() {
    return `${this.file} is in the home ${this.home}, where only Cardlake writes. Write it elsewhere`
  }
}

/** The output path exists but is not a regular file, e.g. a device or a pipe. */
export class OutputNoFile extends Schema.TaggedError<OutputNoFile>()("OutputNoFile", { file: Schema.String }) {
  override get message() {
    return `${this.file} is not a regular file. Nothing was written to it. Name a file`
  }
}

/** The folder of the output does not exist. */
export class OutputNoFolder extends Schema.TaggedError<OutputNoFolder>()("OutputNoFolder", { file: Schema.String }) {
  override get message() {
    return `${this.file} cannot be written: its folder does not exist. Create it first`
  }
}

/** Returns the real path of a file that may not exist yet. */
const resolvePath = (disk: Disk, file: string): string => {
  const whole = resolve(file)
  if (disk.exists(whole)) return disk.realPath(whole)
  return disk.exists(dirname(whole)) ? join(disk.realPath(dirname(whole)), basename(whole)) : whole
}

/**
 * Fails with {@link OutputInHome} if a file would be inside a folder with a home's marker, and with {@link
 * OutputNoFile} if it would replace something other than a file.
 */
export const outsideHomes = Effect.fnUntraced(function* (file: string) {
  const disk = yield* Disk
  if (disk.exists(file) && disk.look(file)?.kind !== "file") return yield* new OutputNoFile({ file })
  for (let at = dirname(resolvePath(disk, file)); ; at = dirname(at)) {
    if (disk.exists(join(at, "cardlake.json"))) return yield* new OutputInHome({ file, home: at })
    if (at === dirname(at)) return
  }
})

/** As {@link outsideHomes}, for a writer that creates no folder. Fails with {@link OutputNoFolder} if it is missing. */
export const outputFile = Effect.fnUntraced(function* (file: string) {
  yield* outsideHomes(file)
  const [disk, folder] = [yield* Disk, dirname(resolve(file))]
  if (!disk.exists(folder) || disk.look(folder)?.kind !== "folder") return yield* new OutputNoFolder({ file })
})
