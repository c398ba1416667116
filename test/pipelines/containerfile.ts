/** An instruction of a Containerfile on one line. */
export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** Reads a Containerfile strictly: comments, empty lines, and instructions that a backslash continues. */
export const instructionsOf = (text: string): ReadonlyArray<Instruction> =>
  text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/ *\\\n */g, " ")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? []
      if (name === undefined || rest === undefined) throw new Error(`not an instruction: ${line}`)
      return { name, rest }
    })
