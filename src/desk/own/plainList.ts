import { foldWords } from "./parseWords.ts"
import type { Row } from "./splitRows.ts"
import * as known from "./valueWords.ts"

/** The columns of a list, in the words of a table. */
export const listHeader = ["line", "quantity", "name", "set code", "number", "finish", "list", "list kind"]

const headings = new RegExp(`^(${known.headingWords})$`)
const wanted = new RegExp(`^(${known.wantedWords})$`)

const finishMarks: Readonly<Record<string, string>> = {
  f: "foil",
  foil: "foil",
  e: "etched",
  etched: "etched",
  "foil etched": "etched"
}

interface Entry {
  readonly quantity: string | null
  readonly name: string
  readonly code: string
  readonly number: string
  readonly finish: string
}

const code = String.raw`[A-Z0-9][A-Z0-9_-]{1,7}|[a-z0-9][a-z0-9_-]{1,7}`

/** Takes a match off a text, and returns the text without it. */
const takeOff = (text: string, pattern: RegExp): readonly [rest: string, found: RegExpExecArray | null] => {
  const found = pattern.exec(text)
  if (found === null) return [text, null]
  return [`${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.trim(), found]
}

/** Reads a line such as `4x Name (SET) 12 *F*`, `Name x4` or `4 [SET:12] Name`; tags at its end are left out. */
const readEntry = (line: string): Entry => {
  let text = line.replace(/^SB:\s*/i, "")
  let count: RegExpExecArray | null
  ;[text, count] = takeOff(text, /^(\d{1,4})\s*[x×]?\s+(?=\S)|^(\d{1,4})[x×](?=\p{L})/iu)
  if (count === null) [text, count] = takeOff(text, /\s+[x×]\s?(\d{1,4})$/i)
  const marks: Array<string> = []
  for (;;) {
    const [rest, mark] = takeOff(text, /\s\*([^*]+)\*/)
    if (mark === null) break
    marks.push(mark[1] ?? "")
    text = rest
  }
  // Tags of deck builders: `#ramp`, `[Ramp]`, `^Have,#37d67a^`
  ;[text] = takeOff(text, /\s(#(?!\d)\S.*|\^[^^]*\^.*)$/)
  // A finish in brackets stands behind the set or in its place, one without behind a set or number.
  const [bare, finish] = takeOff(
    text,
    /\s[([](f|foil|e|etched|foil etched)[)\]]$|(?<=[\d)\]]\p{L}?)\s(f|foil|etched)$/iu
  )
  if (finish !== null) {
    marks.push(finish[1] ?? finish[2] ?? "")
    text = bare
  }
  // Between name and set are a number or a treatment: `Name <117> [SET]`, `Name <borderless> [SET]`.
  let print: RegExpExecArray | null
  ;[text, print] = takeOff(text, /\s<([^<>]*)>/)
  let set: RegExpExecArray | null
  const number = String.raw`\s+#?((?=\S*\d)[^\s()\[\]]+)`
  ;[text, set] = takeOff(text, new RegExp(String.raw`\s\((${code})(?:[:#]([^)\s]+))?\)(?:${number})?(?=\s|$)`))
  if (set === null)
    [text, set] = takeOff(text, new RegExp(String.raw`\s?\[(${code})(?:[:#]([^\]\s]+))?\](?:${number})?(?=\s|$)`))
  // A code of large and small letters, unlike a word in brackets, is before a number.
  if (set === null) [text, set] = takeOff(text, new RegExp(String.raw`\s[([]([A-Za-z0-9]{2,6})[)\]]${number}(?=\s|$)`))
  if (set !== null) text = text.replace(/\s\[[^\]]*\]$/, "")
  if (count === null) [text, count] = takeOff(text, /\s+[x×]\s?(\d{1,4})$/i)
  return {
    quantity: count?.[1] ?? count?.[2] ?? null,
    name: text.trim(),
    code: set?.[1] ?? "",
    number: set?.[2] ?? set?.[3] ?? /^\d+\p{L}?$/u.exec(print?.[1] ?? "")?.[0] ?? "",
    finish: marks.map((mark) => finishMarks[mark.toLowerCase()] ?? "").find((mark) => mark !== "") ?? ""
  }
}

/** Returns the heading that a line is, without a count such as `(12)`; null if it is a card. */
const parseHeading = (line: string): string | null => {
  const text = line.replace(/^(\/\/+|#+|=+|-+)\s*/, "")
  const bare = text.replace(/\s*[([]?\d*[)\]]?\s*:?\s*[=-]*$/, "").trim()
  return headings.test(foldWords(bare).join(" ")) || (text.endsWith(":") && !/^\d/.test(text)) ? bare : null
}

/**
 * Reads a text as a list of cards, one a line; null if it is none: at least half of its lines must begin or end with a
 * number of copies. A line without one is one card. Comments are left out.
 */
export const listRows = (text: string): ReadonlyArray<Row> | null => {
  const rows: Array<Row> = []
  let [section, counted, isAbout] = ["", 0, false]
  for (const [place, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const line = whole.trim()
    if (line === "") continue
    const heading = parseHeading(line)
    if (heading !== null) {
      section = heading
      isAbout = /^about$/i.test(heading)
      continue
    }
    // MTGA names the deck below `About`.
    if (/^(\/\/|#)/.test(line) || (isAbout && /^name /i.test(line))) continue
    const { code: set, finish, name, number, quantity } = readEntry(line)
    if (quantity !== null) counted++
    const list = /^SB:/i.test(line) ? "Sideboard" : section
    const kind = wanted.test(foldWords(list).join(" ")) ? "list" : ""
    rows.push({ line: place + 1, cells: [line, quantity ?? "1", name, set, number, finish, list, kind] })
  }
  return counted * 2 >= rows.length && counted > 0 ? rows : null
}
