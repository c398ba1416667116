import { base64Finder, base64Pattern } from "./keyInBase64.ts"
import { Effect } from "effect"
import type { RawBody } from "./RawBody.ts"

const redacted = "<redacted>"

/** The minimum length of a real key. A shorter key would occur in half of all texts. */
const minSecretLength = 8

/** Returns a pattern of a character: plain, escaped by JSON (JSON within JSON doubles the backslash), or by a URL. */
const anyForm = (char: string, index: number): string => {
  const hex = char.charCodeAt(0).toString(16).padStart(2, "0")
  const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const plain = char.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`)
  // Matches all backslashes, because a remaining one would break the JSON; starts at the first one, for speed.
  const slashes = index === 0 ? String.raw`(?<!\\)\\+` : String.raw`\\+`
  const escaped = char === "\\" ? String.raw`\\\\|` : /["/]/.test(char) ? `${slashes}${plain}|` : ""
  return `(?:${slashes}u00${anyCase}|%${anyCase}|${escaped}${plain})`
}

/** Returns a function that removes a secret from texts: plain, escaped by JSON or a URL, or inside base64. */
export const makeScrub = (secret: string): ((text: string) => string) => {
  if (secret.length < minSecretLength) return (text) => text
  const everyForm = new RegExp([...secret].map(anyForm).join(""), "g")
  const inBase64 = new RegExp(base64Pattern(secret, anyForm), "g")
  const isInBase64 = base64Finder(secret)
  return (text) => {
    const once = text.replace(everyForm, redacted)
    return isInBase64(once) ? once.replace(inBase64, redacted) : once
  }
}

/** One finder per key, reused for all pages. */
const finders = new Map<string, (text: string) => boolean>()

const isInBase64 = (text: string, secret: string): boolean => {
  if (secret.length < minSecretLength) return false
  const finder = finders.get(secret) ?? base64Finder(secret)
  finders.set(secret, finder)
  return finder(text)
}

/** True if a long text may contain the secret: plain, escaped, or in base64. Faster than {@link makeScrub}. */
export const mayHold = (text: string, secret: string): boolean =>
  text.includes(secret) ||
  text.includes(String.raw`\u00`) ||
  (/["/\\]/.test(secret) && text.includes("\\")) ||
  isInBase64(text, secret)

/** Removes the key from every text and object key of a value. Only for this program's values, which are never deep. */
export const scrubbed = <A>(scrub: (text: string) => string, value: A): A => deep(scrub, value) as A

const deep = (scrub: (text: string) => string, value: unknown): unknown => {
  if (typeof value === "string") return scrub(value)
  if (Array.isArray(value)) return value.map((one) => deep(scrub, one))
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [scrub(key), deep(scrub, one)]))
}

/** The API key, for code that looks for it in answers. */
export interface Secret {
  readonly key: string
  /** Removes the key from a text, because a server may repeat it. */
  readonly scrub: (text: string) => string
  /** Called if a page repeats the key. */
  readonly onRepeated: (request: string) => Effect.Effect<void>
}

/** For pages on the disk, which are stored without the key. */
export const noSecret: Secret = { key: "", scrub: (text) => text, onRepeated: () => Effect.void }

/** True if a text may contain the key in any form. */
export const mayRepeat = (key: string, text: string): boolean => key !== "" && mayHold(text, key)

/** A page without the API key, which must reach no file or row: records have `<redacted>` in its place. */
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
