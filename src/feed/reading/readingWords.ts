import { type Dialect, type DialectName, type KnownDialect, dialects } from "../contract/dialect/dialects.ts"
import { isWordy, type PageKind } from "../contract/records.ts"
import { noNames, type SpokenWords } from "../rows/spokenWords.ts"

/** Words that a fault names. */
const maxNamed = 8

const named = (words: ReadonlyArray<string>): string =>
  words.toSorted().slice(0, maxNamed).join(", ") + (words.length > maxNamed ? " and others" : "")

const mixedProductText = (odd: SpokenWords["odd"]): string => {
  if (odd === undefined || odd === null) return ""
  const which = odd.id === null ? `the product at position ${odd.position}` : `product ${odd.id}`
  return `: ${which} has ${named(odd.words)}, which ${odd.most} does not have`
}

/** Why a page cannot be read together with those before it. */
export interface WordsFault {
  readonly says: string
  /** The words of the page, if others were asked for; null: nothing that was asked for can mend it. */
  readonly shown: DialectName | null
  /** Whether the words that were asked for are those of a dialect file. */
  readonly isOfFile: boolean
}

/** What mends pages that a dialect file, or no dialect, has all words of. */
export const wordsMend = (isOfFile: boolean): string =>
  isOfFile
    ? "correct the mapping file: cardlake doctor --capture capture.json captures answers, and cardlake dialect capture.json --dialect FILE tests the file on them"
    : "write a mapping file: cardlake doctor --capture capture.json captures answers, cardlake dialect capture.json proposes the file, and nightly --dialect uses it"

/** What mends a reading that was asked for other words than its pages show. */
export const askedMend = (shown: DialectName): string =>
  `set --dialect or CARDLAKE_DIALECT to ${shown}, or leave them out`

/**
 * In which words one round of a reading is read: those that are `wanted`, else those of its first pages that have any.
 */
export const readingWords = (wanted: Dialect | null) => {
  let { fits, words }: SpokenWords = wanted === null ? noNames : { fits: [wanted.name], words: [] }
  const isOfFile = wanted?.file !== undefined
  /** Takes the next page in; null if it can be read together with those before. */
  const fault = (page: string, spoken: SpokenWords): WordsFault | null => {
    const [shown = null] = spoken.fits
    if (shown === null) {
      const says = `${page} has names of several dialects (${named(spoken.words)})${mixedProductText(spoken.odd)}`
      return { says, shown, isOfFile }
    }
    // A page without any word can be read in all of them.
    if (spoken.words.length === 0) return null
    const both = fits.filter((name) => spoken.fits.includes(name))
    if (both.length === 0) {
      const told = `${page} uses the names of ${shown} (${named(spoken.words)})`
      return wanted === null
        ? { says: `${told}, but earlier pages use those of ${fits[0]} (${named(words)})`, shown: null, isOfFile }
        : { says: `${told}, but those of ${wanted.name} were requested`, shown, isOfFile }
    }
    fits = both
    words = [...new Set([...words, ...spoken.words])]
    return null
  }
  // Without a dialect that is asked for, pages are in known ones.
  const shown = () => (words.length === 0 || fits[0] === undefined ? null : dialects[fits[0] as KnownDialect])
  /** Null while no page has shown any. */
  const dialect = () => wanted ?? shown()
  /** What pages of a list are parsed in; null: the words that each shows. */
  const parsedIn = (list: PageKind) => (isWordy(list) ? wanted : dialect())
  return { fault, parsedIn, dialect }
}

export type ReadingWords = ReturnType<typeof readingWords>
