import { shownLines } from "../../feed/contract/shownText.ts"

/** Letters of a text that a page shows. */
const longest = 20_000

/** Markup that is safe to send: made by {@link html} alone. */
export interface Html {
  readonly markup: string
}

/** What a template takes: markup stays, text is escaped and all of it made visible, absent values leave nothing. */
export type Shown = Html | string | number | bigint | false | null | undefined | ReadonlyArray<Shown>

/** A template of markup. Every value is escaped, in an element or a quoted attribute, except markup made here. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Shown>): Html => ({
  markup: parts.map((part, index) => (index === 0 ? part : shown(values[index - 1]) + part)).join("")
})

/** Text that a form sends back, unchanged. */
export const exactly = (text: string): Html => ({ markup: escaped(text) })

/** Markup that comes from our own code and contains no text of the feed. */
export const ownMarkup = (markup: string): Html => ({ markup })

const shown = (value: Shown): string => {
  if (value === null || value === undefined || value === false) return ""
  if (typeof value === "string") return escaped(shownLines(value, longest))
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  return isList(value) ? value.map(shown).join("") : value.markup
}

const isList = (value: Html | ReadonlyArray<Shown>): value is ReadonlyArray<Shown> => Array.isArray(value)

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)
