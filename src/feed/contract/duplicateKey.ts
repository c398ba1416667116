import { endOfString } from "./jsonSpans.ts"

/** An object (with the keys seen so far) or an array around a position in a text, and the key or index there. */
interface Around {
  readonly seen: Set<string> | null
  at: string | number
}

const colon = /[ \t\r\n]*:/y

/**
 * Dotted path of the first duplicate key of a JSON text; null if there is none.
 * JSON.parse takes the last one, other readers the first one, both, or none.
 */
export const duplicateKey = (text: string): string | null => {
  const around: Array<Around> = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    const inside = around.at(-1)
    if (char === '"') {
      const end = endOfString(text, at)
      // A key: a colon follows.
      colon.lastIndex = end
      if (inside?.seen && colon.test(text)) {
        inside.at = String(JSON.parse(text.slice(at, end)))
        if (inside.seen.has(inside.at)) return around.map(({ at }) => at).join(".")
        inside.seen.add(inside.at)
      }
      at = end - 1
    } else if (char === "{") around.push({ seen: new Set(), at: "" })
    else if (char === "[") around.push({ seen: null, at: 0 })
    else if (char === "}" || char === "]") around.pop()
    else if (char === "," && inside?.seen === null) inside.at = Number(inside.at) + 1
  }
  return null
}
