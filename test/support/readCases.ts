/** A case, what is asked or given, and the rows that a person expects. */
export type Case = readonly [name: string, given: string, rows: ReadonlyArray<string>]

/** Reads cases: each has a line with its name, below it, indented, what is given and the rows, which begin with `=`. */
export const readCases = (text: string): ReadonlyArray<Case> =>
  text
    .trim()
    .split(/\n(?=\S)/)
    .map((block) => {
      const [name = "", ...below] = block.split("\n").map((line) => line.trim())
      const isRow = (line: string) => line.startsWith("= ")
      const given = below.filter((line) => !isRow(line)).join("\n")
      return [name, given, below.filter(isRow).map((line) => line.slice(2))]
    })
