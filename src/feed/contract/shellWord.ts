/** Quotes a text as one shell word. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A word of a command line that people copy: in quotes where a shell would take it for something else. */
export const shellWord = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : inQuotes(word))
