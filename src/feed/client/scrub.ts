import { base64Finder, base64Pattern } from "./keyInBase64.ts"
import { Effect } from "effect"
import type { RawBody } from "./RawBody.ts"

/** What the key is replaced by. */
const redacted = "<redacted>"

/** A shorter key is only for trying things out: it would be found in half of all texts. */
const shortestSecret = 8

/** A character as it is, as JSON escapes it (JSON within a text of JSON doubles the backslash), or as a URL does. */
const anyForm = (char: string, index: number): string => {
  const hex = char.charCodeAt(0).toString(16).padStart(2, "0")
  const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const plain = char.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`)
  // All backslashes: a remaining one would break the JSON. Matches from the first one, or many of them take long.
  const slashes = index === 0 ? String.raw`(?<!\\)\\+` : String.raw`\\+`
  const escaped = char === "\\" ? String.raw`\\\\|` : /["/]/.test(char) ? `${slashes}${plain}|` : ""
  return `(?:${slashes}u00${anyCase}|%${anyCase}|${escaped}${plain})`
}

/** Takes a secret out of a text, also where JSON or a URL escapes it, or where it is part of something in base64. */
export const makeScrub = (secret: string): ((text: string) => string) => {
  if (secret.length < shortestSecret) return (text) => text
  const everyForm = new RegExp([...secret].map(anyForm).join(""), "g")
  const inBase64 = new RegExp(base64Pattern(secret, anyForm), "g")
  const isInBase64 = base64Finder(secret)
  return (text) => {
    const once = text.replace(everyForm, redacted)
    return isInBase64(once) ? once.replace(inBase64, redacted) : once
  }
}

/** Made once for a key: pages are many. */
const finders = new Map<string, (text: string) => boolean>()

const isInBase64 = (text: string, secret: string): boolean => {
  if (secret.length < shortestSecret) return false
  const finder = finders.get(secret) ?? base64Finder(secret)
  finders.set(secret, finder)
  return finder(text)
}

/**
 * Whether a long text may contain the secret: plain, escaped by JSON, or in base64. Faster than {@link makeScrub}'s own
 * search.
 */
export const mayHold = (text: string, secret: string): boolean =>
  text.includes(secret) ||
  text.includes(String.raw`\u00`) ||
  (/["/\\]/.test(secret) && text.includes("\\")) ||
  isInBase64(text, secret)

/** The same value with every text and key in it scrubbed. For our own values, which are never deep. */
export const scrubbed = <A>(scrub: (text: string) => string, value: A): A => deep(scrub, value) as A

const deep = (scrub: (text: string) => string, value: unknown): unknown => {
  if (typeof value === "string") return scrub(value)
  if (Array.isArray(value)) return value.map((one) => deep(scrub, one))
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [scrub(key), deep(scrub, one)]))
}

/** The API key, as seen by code that looks for it in answers. */
export interface Secret {
  readonly key: string
  /** Takes the key out of a text: a server may repeat it. */
  readonly scrub: (text: string) => string
  /** A page repeats the key. */
  readonly onRepeated: (request: string) => Effect.Effect<void>
}

/** For pages from the disk, which were stored without it. */
export const noSecret: Secret = { key: "", scrub: (text) => text, onRepeated: () => Effect.void }

/** Whether a text may contain the key in any form. */
export const mayRepeat = (key: string, text: string): boolean => key !== "" && mayHold(text, key)

/**
 * A page without the API key, in case the service repeats it: the key never reaches a file or row.
 * The records stay, with `<redacted>` in their texts.
 */
export const scrubbedBody = Effect.fnUntraced(function* (
  { key, onRepeated, scrub }: Secret,
  body: RawBody
): Effect.fn.Return<RawBody> {
  if (!mayRepeat(key, body.text)) return body
  const text = scrub(body.text)
  if (text === body.text) return body
  yield* onRepeated(body.request)
  const plain = Buffer.from(text)
  return { ...body, bytes: plain, gzip: false, plain, text }
})
