import { afterSpace, closingQuote, colon, comma, endOfValue, openBrace, quote } from "./jsonWalk.ts"

/** A member of an object in a JSON text: its key, and where key and value are. */
export interface Member {
  readonly key: string
  readonly start: number
  readonly value: number
  readonly end: number
}

/** The members of the object that opens at `open`; a text that is not JSON has those up to where that shows. */
export function* membersAt(text: Buffer, open: number): Iterable<Member> {
  let at = afterSpace(text, open + 1)
  while (text[at] === quote) {
    const keyEnd = closingQuote(text, at)
    const afterKey = afterSpace(text, keyEnd + 1)
    if (text[afterKey] !== colon) return
    const value = afterSpace(text, afterKey + 1)
    const end = endOfValue(text, value)
    const written = text.toString("utf8", at + 1, keyEnd)
    yield { key: written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written, start: at, value, end }
    const next = afterSpace(text, end)
    if (text[next] !== comma) return
    at = afterSpace(text, next + 1)
  }
}

export const isObject = (text: Buffer, { value }: Member): boolean => text[value] === openBrace
