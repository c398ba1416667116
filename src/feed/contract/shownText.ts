/** Controls, line ends, direction marks, zero-width characters. Variation selectors only choose a glyph. */
const unseen = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]--[\p{VS}]]/gv

/** A combining mark without a letter before it would attach to whatever is there. */
const loneMark = /(?<![\p{L}\p{M}\p{N}\p{P}\p{S}])\p{M}/gu

/** Most texts: nothing to do. */
const plain = /^[ -~]*$/

const named: Readonly<Record<string, string>> = {
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
  "\u007f": "␡"
}

const nameLetter = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0
  return named[letter] ?? (code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`)
}

/**
 * A text of the feed on one line. Whatever moves the cursor, reverses the writing or hides is made visible: `␛`, `\n`,
 * `\u{202e}`. Beyond `longest` letters it ends with `…`. For people; exact outputs do not use it.
 */
export const shownText = (text: string, longest = Number.POSITIVE_INFINITY): string => {
  const short = shortened(text, longest)
  return plain.test(short) ? short : short.replaceAll(unseen, nameLetter).replaceAll(loneMark, "◌$&")
}

/** A text that may have several lines, each as {@link shownText}; `longest` counts all of them. */
export const shownLines = (text: string, longest = Number.POSITIVE_INFINITY): string =>
  shortened(text, longest)
    .split("\n")
    .map((line) => shownText(line))
    .join("\n")

const shortened = (text: string, longest: number): string => {
  if (text.length <= longest) return text
  const letters = Array.from(text.slice(0, 2 * longest + 2))
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`
}
