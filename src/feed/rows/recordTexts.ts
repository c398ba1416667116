import { endOfString, spanAt, spansIn } from "../contract/jsonSpans.ts"

const quote = 0x22

/** The same of a list that is under other keys. */
const textsAt = (text: string, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const list = spanAt(text, path)
  return list === null ? [] : spansIn(text, list.start).map(({ end, start }) => text.slice(start, end))
}

/**
 * The records of a page's `data` as the text they came in: it still shows digits, escapes and duplicate keys.
 * `text` must be valid JSON. If it has `data` twice, the last one counts, as in JSON.parse.
 */
export const recordTexts = (text: string, path: ReadonlyArray<string> = ["data"]): ReadonlyArray<string> => {
  if (path.join(".") !== "data") return textsAt(text, path)
  let texts: Array<string> = []
  let depth = 0
  let key = ""
  let start = -1
  const end = (at: number) => {
    const record = text.slice(start, at).trim()
    if (record !== "") texts.push(record)
  }
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      const after = endOfString(text, at)
      if (depth === 1) key = text.slice(at, after)
      at = after - 1
    } else if (char === 0x5b || char === 0x7b) {
      depth += 1
      if (depth === 2 && char === 0x5b && JSON.parse(key) === "data") {
        texts = []
        start = at + 1
      }
    } else if (char === 0x5d || char === 0x7d) {
      if (depth === 2 && start !== -1) {
        end(at)
        start = -1
      }
      depth -= 1
    } else if (char === 0x2c && depth === 2 && start !== -1) {
      end(at)
      start = at + 1
    }
  }
  return texts
}
