/** A key in base64, at one of the three possible offsets in a group of bytes. */
interface Encoded {
  /** The characters that depend only on the key. */
  readonly core: string
  /** True if the adjacent characters contain a few bits of the key as well. */
  readonly sharesFirst: boolean
  readonly sharesLast: boolean
}

const places = (secret: string): ReadonlyArray<Encoded> =>
  [0, 1, 2].map((before) => {
    const bits = (before + secret.length) * 8
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(bits / 6)
    const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString("base64")
    return { core: whole.slice(first, last), sharesFirst: before > 0, sharesLast: bits % 6 > 0 }
  })

const forUrls = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_")

const hex = "[0-9a-fA-F]{2}"
/** Matches escapes of a character in JSON or a URL, from the first backslash, because long runs would be slow. */
const escaped = String.raw`(?<!\\)\\+(?:u00${hex}|\/)|%${hex}`
const any = String.raw`(?:${escaped}|(?<!\\)[A-Za-z0-9+/_-])`
const padding = String.raw`(?:=|%3[dD]|\\+u003[dD]){0,2}`

type FormOf = (char: string, index: number) => string

const inEitherAlphabet =
  (formOf: FormOf): FormOf =>
  (char, index) =>
    char === forUrls(char) ? formOf(char, index) : `(?:${formOf(char, index)}|${formOf(forUrls(char), index)})`

/**
 * Returns a pattern of a secret in base64, in both alphabets. The secret may be part of a longer text such as
 * `user:key`. `formOf` returns the pattern of a single character.
 */
export const base64Pattern = (secret: string, formOf: FormOf): string =>
  places(secret)
    .map(({ core, sharesFirst, sharesLast }) => {
      const chars = [...core].map(inEitherAlphabet(formOf)).join("")
      return `${sharesFirst ? `${any}?` : ""}${chars}${sharesLast ? `${any}?` : ""}${padding}`
    })
    .join("|")

const listCores = (secret: string): ReadonlyArray<string> => {
  const cores = places(secret).map(({ core }) => core)
  return [...new Set([...cores, ...cores.map(forUrls)])]
}

const unescaped = new RegExp(String.raw`(?<!\\)\\+(?:u00(${hex})|(?=\/))|%(${hex})`, "g")

/** `%20` is not a character of base64. */
const ofUrl = /%(?:2[BDF]|[3-7])/i

/** True if a text escapes a character of base64. Finding the start of an escape is much faster than one pattern. */
const hasEscape = (text: string): boolean =>
  text.includes(String.raw`\u00`) || text.includes(String.raw`\/`) || (text.includes("%") && ofUrl.test(text))

/** Returns a test for a secret in base64, in any form of {@link base64Pattern}. It is much faster than the pattern. */
export const base64Finder = (secret: string): ((text: string) => boolean) => {
  const cores = listCores(secret)
  return (text) => {
    const plain = hasEscape(text)
      ? text.replace(unescaped, (_, json?: string, url?: string) => {
          const code = json ?? url
          return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16))
        })
      : text
    return cores.some((core) => plain.includes(core))
  }
}
