import type { Field, Kind } from "./fieldTable.ts"

/** What replaces a value, as JSON text: JSON.stringify cannot write such numbers, escapes and nesting. */
type Token = (sample: string, id: number) => string

/** Puts `start` before the sample's text, or before an x where the sample is no text. */
const beginning =
  (start: string): Token =>
  (sample) =>
    sample.startsWith('"') ? `"${start}${sample.slice(1)}` : `"${start}x"`

const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
const objects = (levels: number) => `${'{"surprise":'.repeat(levels)}1${"}".repeat(levels)}`

/** Ways to break a value. Plain numbers come from the record's id, because no two ids may be equal. */
const makeTokens = (hugeChars: number) =>
  ({
    number: (_, id) => `${id}`,
    wholeDecimal: (_, id) => `${id}.0`,
    exponent: (_, id) => `${id}e0`,
    negative: (_, id) => `-${id}`,
    negativeZero: () => "-0",
    fiveDecimals: () => "0.00001",
    "1e-7": () => "1e-7",
    "1e-400": () => "1e-400",
    "2^53-1": () => "9007199254740991",
    "2^53": () => "9007199254740992",
    "2^53+1": () => "9007199254740993",
    twentyDigits: () => "12345678901234567890",
    "1e308": () => "1e308",
    "1e400": () => "1e400",
    text: () => '"x"',
    emptyText: () => '""',
    NaN: () => '"NaN"',
    Infinity: () => '"Infinity"',
    hugeText: () => `"${"h".repeat(hugeChars)}"`,
    pairAtSixty: () => `"${"x".repeat(59)}\u{1F525}"`,
    looksLikeKey: () => String.raw`"\":"`,
    loneSurrogate: beginning(String.raw`\ud800`),
    byteOrderMark: beginning("\uFEFF"),
    escapedByteOrderMark: beginning(String.raw`\ufeff`),
    nullCharacter: beginning(String.raw`\u0000`),
    controlCharacter: beginning(String.raw`\u001f`),
    boolean: () => "true",
    null: () => "null",
    emptyArray: () => "[]",
    array: () => "[1]",
    nestedArray: () => arrays(500),
    deepArray: () => arrays(10_000),
    emptyObject: () => "{}",
    object: () => '{"surprise":1}',
    nestedObject: () => objects(500),
    deepObject: () => objects(10_000)
  }) satisfies Readonly<Record<string, Token>>

export type Breakage = keyof ReturnType<typeof makeTokens>

/** Every breakage with its token; `hugeChars` is the length of a huge text. */
export const tokens = (hugeChars: number) => Object.entries(makeTokens(hugeChars)) as ReadonlyArray<[Breakage, Token]>

const filledTexts: ReadonlyArray<Breakage> = [
  ...(["text", "NaN", "Infinity", "hugeText", "pairAtSixty", "looksLikeKey"] as const),
  ...(["byteOrderMark", "escapedByteOrderMark", "nullCharacter", "controlCharacter"] as const)
]
const naturals: ReadonlyArray<Breakage> = ["number", "wholeDecimal", "exponent", "negativeZero"]
const integers: ReadonlyArray<Breakage> = [...naturals, "negative", "2^53-1"]

/** Breakages that each kind still accepts; {@link faultOf} judges what lies inside lists and objects. */
const accepted: Readonly<Record<Kind, ReadonlyArray<Breakage>>> = {
  id: integers,
  count: [...naturals, "2^53-1"],
  price: naturals,
  percent: [...integers, ...(["fiveDecimals", "1e-7", "1e-400", "2^53", "2^53+1", "twentyDigits", "1e308"] as const)],
  boolean: ["boolean"],
  text: [...filledTexts, "emptyText"],
  nonEmpty: filledTexts,
  currency: [],
  game: [],
  word: [],
  list: ["emptyArray"],
  map: ["emptyObject"],
  struct: [],
  open: ["emptyObject", "object", "nestedObject"],
  any: [
    ...filledTexts,
    ...integers,
    ...(["emptyText", "fiveDecimals", "1e-7", "2^53", "1e308", "boolean", "null"] as const),
    ...(["emptyArray", "array", "nestedArray", "emptyObject", "object", "nestedObject"] as const)
  ]
}

/** The breakage that remains one level further in. */
const inside: Partial<Record<Breakage, Breakage>> = {
  array: "number",
  nestedArray: "nestedArray",
  deepArray: "deepArray",
  object: "number",
  nestedObject: "nestedObject",
  deepObject: "deepObject"
}

/** The path of the first fault of a broken value; null where the contract accepts it. */
const faultOf = ({ fields, kind, presence }: Field, path: string, breakage: Breakage): string | null => {
  if (breakage === "null" && (presence === "absent" || presence === "nullable")) return null
  const [first] = fields
  const isObject = /object$/i.test(breakage)
  const within = inside[breakage]
  if (kind === "struct" && isObject) {
    const missing = fields.find((field) => field.presence === "required" || field.presence === "nullable")
    return missing === undefined ? null : `${path}.${missing.key}`
  }
  if (kind === (isObject ? "map" : "list") && within !== undefined && first !== undefined) {
    return faultOf(first, `${path}.${isObject ? "surprise" : "0"}`, within)
  }
  return accepted[kind].includes(breakage) ? null : path
}

/**
 * The paths that the refusal may name; none where the value is accepted.
 * Nesting that is too deep refuses the whole record, whose path is empty.
 */
export const refusalPaths = (field: Field, breakage: Breakage): ReadonlyArray<string> => {
  const fault = faultOf(field, field.path, breakage)
  return [...(fault === null ? [] : [fault]), ...(breakage.startsWith("deep") ? [""] : [])]
}
