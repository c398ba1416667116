import { type Dialect, type DialectName, type KnownDialect, dialects } from "../contract/dialect/dialects.ts"
import { isWordy, type PageKind } from "../contract/records.ts"
import { noNames, type DetectedNames } from "../rows/detectDialect.ts"

/** The maximum number of keys and values that a fault lists. */
const maxNamed = 8

const named = (words: ReadonlyArray<string>): string =>
  words.toSorted().slice(0, maxNamed).join(", ") + (words.length > maxNamed ? " and others" : "")

const mixedProductText = (mixed: DetectedNames["mixed"]): string => {
  if (mixed === undefined || mixed === null) return ""
  const which = mixed.id === null ? `the product at position ${mixed.position}` : `product ${mixed.id}`
  return `: ${which} has ${named(mixed.words)}, which ${mixed.most} does not have`
}

/** The reason why a page does not fit the pages before it. */
export interface WordsFault {
  readonly says: string
  /** The dialect of the page, if another one was required; null if no required dialect would help. */
  readonly shown: DialectName | null
  /** True if a dialect file defines the required dialect. */
  readonly isOfFile: boolean
}

/** Returns the remedy for pages that fit no single dialect or not the dialect file. */
export const dialectAdvice = (isOfFile: boolean): string =>
  isOfFile
    ? "correct the mapping file: cardlake doctor --capture capture.json captures answers, and cardlake dialect capture.json --dialect FILE tests the file on them"
    : "write a mapping file: cardlake doctor --capture capture.json captures answers, cardlake dialect capture.json proposes the file, and nightly --dialect uses it"

/** Returns the remedy if the pages show another dialect than the required one. */
export const requiredDialectAdvice = (shown: DialectName): string =>
  `set --dialect or CARDLAKE_DIALECT to ${shown}, or leave them out`

/** Determines the dialect of a round: `wanted`, else the dialect of its first pages that show one. */
export const readingWords = (wanted: Dialect | null) => {
  let { fits, words }: DetectedNames = wanted === null ? noNames : { fits: [wanted.name], words: [] }
  const isOfFile = wanted?.file !== undefined
  /** Adds the next page; null if it fits the pages before. */
  const fault = (page: string, spoken: DetectedNames): WordsFault | null => {
    const [shown = null] = spoken.fits
    if (shown === null) {
      const says = `${page} has names of several dialects (${named(spoken.words)})${mixedProductText(spoken.mixed)}`
      return { says, shown, isOfFile }
    }
    // A page without any such key or value fits every dialect.
    if (spoken.words.length === 0) return null
    const both = fits.filter((name) => spoken.fits.includes(name))
    if (both.length === 0) {
      const fact = `${page} uses the names of ${shown} (${named(spoken.words)})`
      return wanted === null
        ? { says: `${fact}, but earlier pages use those of ${fits[0]} (${named(words)})`, shown: null, isOfFile }
        : { says: `${fact}, but those of ${wanted.name} were requested`, shown, isOfFile }
    }
    fits = both
    words = [...new Set([...words, ...spoken.words])]
    return null
  }
  // Without a required dialect, the pages are in a built-in one.
  const shown = () => (words.length === 0 || fits[0] === undefined ? null : dialects[fits[0] as KnownDialect])
  /** Null while no page has shown any dialect. */
  const dialect = () => wanted ?? shown()
  /** Returns the dialect for parsing a list; null if each page determines it. */
  const parsedIn = (list: PageKind) => (isWordy(list) ? wanted : dialect())
  return { fault, parsedIn, dialect }
}

export type ReadingWords = ReturnType<typeof readingWords>
