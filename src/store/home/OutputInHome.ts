import { existsSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { Effect, Schema } from "effect"

/** A file that a person asked for would be among those of a home. */
export class OutputInHome extends Schema.TaggedError<OutputInHome>()("OutputInHome", {
  file: Schema.String,
  home: Schema.String
}) {
  override get message() {
    return `${this.file} is in the home ${this.home}, where only Cardlake writes. Write it elsewhere`
  }
}

/** What is there is no file whose content could be replaced, such as a device or a pipe. */
export class OutputNoFile extends Schema.TaggedError<OutputNoFile>()("OutputNoFile", { file: Schema.String }) {
  override get message() {
    return `${this.file} is there and is no regular file, so nothing was written to it. Name a file`
  }
}

/** The real path of a file that need not exist yet. */
const placeOf = (file: string): string => {
  const whole = resolve(file)
  if (existsSync(whole)) return realpathSync(whole)
  return existsSync(dirname(whole)) ? join(realpathSync(dirname(whole)), basename(whole)) : whole
}

/**
 * Fails with {@link OutputInHome} if a file would be in a folder that has a home's marker, or below one, and with
 * {@link OutputNoFile} if something else than a file would be replaced by it.
 */
export const outsideHomes = Effect.fnUntraced(function* (file: string) {
  if (existsSync(file) && !statSync(file).isFile()) return yield* new OutputNoFile({ file })
  for (let at = dirname(placeOf(file)); ; at = dirname(at)) {
    if (existsSync(join(at, "cardlake.json"))) return yield* new OutputInHome({ file, home: at })
    if (at === dirname(at)) return
  }
})
