import { type Dialect, type DialectName, dialects } from "../contract/dialects.ts"
import { isWordy, type PageKind } from "../contract/records.ts"
import { noWords, type SpokenWords } from "../rows/spokenWords.ts"

/** Words that a fault names. */
const maxNamed = 8

const named = (words: ReadonlyArray<string>): string =>
  words.toSorted().slice(0, maxNamed).join(", ") + (words.length > maxNamed ? " and others" : "")

/** In which words a game is read: those that were asked for, else those of its first pages that have any. */
export interface ReadingWords {
  /** Takes the next page in; why it cannot be read together with those before, null if it can. */
  readonly fault: (page: string, spoken: SpokenWords) => string | null
  /** What pages of a list are parsed in; null: the words that each shows. */
  readonly parsedIn: (list: PageKind) => Dialect | null
  /** Null while no page has shown any. */
  readonly name: () => DialectName | null
}

/** The words of one round of a reading. `wanted`: null = as the pages show them. */
export const readingWords = (wanted: DialectName | null): ReadingWords => {
  let { fits, words }: SpokenWords = wanted === null ? noWords : { fits: [wanted], words: [] }
  const fault = (page: string, spoken: SpokenWords): string | null => {
    if (spoken.fits.length === 0) {
      return `${page} has words of more than one dialect (${named(spoken.words)})`
    }
    const both = fits.filter((name) => spoken.fits.includes(name))
    if (both.length === 0) {
      const told = `${page} is in the words of ${spoken.fits[0]} (${named(spoken.words)})`
      return wanted === null
        ? `${told}, but the pages before it are in those of ${fits[0]} (${named(words)})`
        : `${told}, but those of ${wanted} were asked for: set --dialect or CARDLAKE_DIALECT to ${spoken.fits[0]}, or leave them out`
    }
    fits = both
    words = [...new Set([...words, ...spoken.words])]
    return null
  }
  const name = () => wanted ?? (words.length === 0 ? null : (fits[0] ?? null))
  const parsedIn = (list: PageKind): Dialect | null => {
    const known = isWordy(list) ? wanted : name()
    return known === null ? null : dialects[known]
  }
  return { fault, parsedIn, name }
}
