import { readFile, writeFile } from "node:fs/promises"
import { diff } from "node:util"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { settingsChosen, valuesOf } from "./envText.ts"
import type { Chosen } from "./chosenSettings.ts"

/** A file of the folder after `init`. One that was there stays; `differs` says how from what it would be, a line each. */
export interface Put {
  readonly file: string
  readonly state: "written" | "same" | "left"
  readonly differs: ReadonlyArray<string>
}

/** The folder cannot be written to. */
export class FileUnwritable extends Schema.TaggedError<FileUnwritable>()("FileUnwritable", {
  file: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be written (${this.cause}). Check the owner and the permissions of its folder, or name another one`
  }
}

type Compare = (there: string) => Effect.Effect<ReadonlyArray<string>>

/** Writes a file, or compares the one that is there, which stays. */
export const putFile = (
  file: string,
  { compare, mode, text }: { readonly text: string; readonly mode: number; readonly compare?: Compare }
) => {
  const step = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({
      try: run,
      catch: (cause) => new FileUnwritable({ file, cause: cause instanceof Error ? cause.message : String(cause) })
    })
  return Effect.gen(function* () {
    const isNew = yield* step(() =>
      writeFile(file, text, { flag: "wx", mode }).then(
        () => true,
        (cause: NodeJS.ErrnoException) => {
          if (cause.code === "EEXIST") return false
          throw cause
        }
      )
    )
    if (isNew) return { file, state: "written", differs: [] } satisfies Put
    const differs = yield* (compare ?? linesApart(text))(yield* step(() => readFile(file, "utf8")))
    return { file, state: differs.length === 0 ? "same" : "left", differs } satisfies Put
  })
}

/** A person may have put a key into a schedule file. */
const withoutSecrets = (line: string): string => line.replace(/((?:key|secret|token|password)\w*\s*[:=]).*/i, "$1 …")

const linesApart =
  (text: string): Compare =>
  (there) =>
    Effect.sync(() =>
      diff(there.split("\n"), text.split("\n"))
        .filter(([side]) => side !== 0)
        .map(([side, line]) => `${side > 0 ? "there:    " : "would be: "} ${withoutSecrets(line)}`)
    )

/** A `.env` is compared by what it sets. Neither key is shown, nor anything else that it has. */
export const settingsApart =
  (chosen: Chosen): Compare =>
  (there) => {
    const settings = settingsChosen(chosen)
    return Effect.map(valuesOf(there, Object.keys(settings)), (read) =>
      Object.entries(settings)
        .filter(([name, value]) => read[name] !== value)
        .flatMap(([name, value]) => {
          const isKey = name === "CARDLAKE_API_KEY"
          const said = read[name] === "" ? "nothing" : isKey ? "another key" : read[name]
          return [`there:     ${name} is ${said}`, `would be:  ${name} is ${isKey ? "the key that was given" : value}`]
        })
    )
  }
