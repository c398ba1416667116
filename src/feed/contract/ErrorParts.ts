/** An error in parts: the fact, what to do about it, and the words before `cardlake doctor`; null if that does not help. */
export interface ErrorParts {
  readonly fact: string
  readonly advice: string
  readonly doctor: string | null
}

/** The parts of an error that sends people to `cardlake doctor`. */
export const checkedByDoctor = (fact: string, advice: string, doctor = " with"): ErrorParts => ({
  fact,
  advice,
  doctor
})

/** The parts of an error that no command helps with. */
export const withoutCommand = (fact: string, advice: string): ErrorParts => ({ fact, advice, doctor: null })

export const messageText = ({ advice, doctor, fact }: ErrorParts): string =>
  `${fact}. ${advice}${doctor === null ? "" : `${doctor}: cardlake doctor`}`
