/** A command of this program that a person can run next. */
export interface NextStep {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** An error in parts: the fact, what to do about it, and the command that does or checks it. */
export interface ErrorParts {
  readonly fact: string
  readonly advice: string
  /** The text between advice and command, such as ` with`. */
  readonly joint: string
  /** The next step; null if no command helps. */
  readonly next: NextStep | null
}

/** The parts of an error that sends people to `cardlake doctor`. */
export const checkedByDoctor = (fact: string, advice: string, joint = " with"): ErrorParts => ({
  fact,
  advice,
  joint,
  next: { command: "doctor", args: [] }
})

/** The parts of an error that no command helps with. */
export const withoutCommand = (fact: string, advice: string): ErrorParts => ({ fact, advice, joint: "", next: null })

export const messageText = ({ advice, fact, joint, next }: ErrorParts): string =>
  `${fact}. ${advice}${next === null ? "" : `${joint}: ${["cardlake", next.command, ...next.args].join(" ")}`}`
