import { stripVTControlCharacters } from "node:util"
import * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { screenWidth, widthOf, wrapText } from "../../src/night/observe/shortTexts.ts"

/** Room that a description needs beside its flag. */
const readable = 30

/** The description of a flag with choices lists them, so that its type need not. */
const withoutChoices = (doc: HelpDoc): HelpDoc => ({
  ...doc,
  globalFlags: (doc.globalFlags ?? []).map(({ type, ...flag }) =>
    Object.assign(flag, { type: type.startsWith("<") ? "choice" : type })
  )
})

/** The columns of a flag; then its description. */
const beside = /^( {2}\S.*?(?: {2,}))(\S.*)$/

/** A line of the help that no terminal breaks in a word. A command to copy stays as it is. */
const wrapped = (line: string, room: number): ReadonlyArray<string> => {
  const plain = stripVTControlCharacters(line)
  if (widthOf(plain) <= room || plain.startsWith("  cardlake ")) return [line]
  const [, flag, description = ""] = beside.exec(plain) ?? []
  if (flag === undefined) return wrapText(line, room, "  ")
  const column = widthOf(flag)
  if (column + readable <= room) return wrapText(line, room, " ".repeat(column))
  return [flag.trimEnd(), ...wrapText(`      ${description}`, room, "      ")]
}

/** The help of every command, as wide as the terminal. */
export const helpFormatter = (canColor: boolean): CliOutput.Formatter => {
  const formatter = CliOutput.defaultFormatter({ colors: canColor })
  return {
    ...formatter,
    formatHelpDoc: (doc) => {
      const help = formatter.formatHelpDoc(withoutChoices(doc))
      const room = screenWidth()
      if (room === null) return help
      return help
        .split("\n")
        .flatMap((line) => wrapped(line, room))
        .join("\n")
    }
  }
}
