/** What a field may hold, in words and as a test; `sights` have to be seen once among all values. */
export interface Kind {
  readonly says: string
  readonly is: (value: unknown) => boolean
  readonly sights: ReadonlyArray<Kind>
}

const kind = (says: string, is: (value: unknown) => boolean, sights: ReadonlyArray<Kind> = []): Kind => ({
  says,
  is,
  sights
})
const matching = (says: string, pattern: RegExp) => kind(says, (it) => typeof it === "string" && pattern.test(it))

export const text = kind("a text", (it) => typeof it === "string")
export const filled = matching("a text that is not empty", /./s)
export const number = kind("a number", (it) => typeof it === "number" && Number.isFinite(it))
export const integer = kind("an integer", (it) => Number.isSafeInteger(it))
export const countable = kind("an integer from 0 on", (it) => Number.isSafeInteger(it) && Number(it) >= 0)
export const flag = kind("true or false", (it) => typeof it === "boolean")
export const object = kind("an object", (it) => typeof it === "object" && it !== null && !Array.isArray(it))
export const dateTime = matching("a time in ISO 8601, UTC", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
export const day = matching("a day", /^\d{4}-\d\d-\d\d$/)
export const country = matching("two capital letters", /^[A-Z]{2}$/)
export const language = matching("a language code", /^[A-Za-z]{2,}(-[A-Za-z-]+)?$/)
export const twoLetters = matching("a two-letter code", /^[a-z]{2}$/)
export const uri = matching("an address", /^https?:\/\/\S+$/)
export const slug = matching("a slug", /^[^\s/A-Z]+$/)
const isNull = kind("null", (it) => it === null)
const absent = kind("absent", (it) => it === undefined)

/** One of these values. */
export const oneOf = (...values: ReadonlyArray<unknown>): Kind =>
  kind(`one of ${values.join(", ")}`, (it) => values.includes(it))

/** Just this value. */
export const just = (value: unknown): Kind => kind(String(value), (it) => it === value)

/** One of these values, all of which occur. */
export const eachOf = (...values: ReadonlyArray<unknown>): Kind => ({ ...oneOf(...values), sights: values.map(just) })

export const listOf = (entry: Kind): Kind =>
  kind(`a list, each entry ${entry.says}`, (it) => Array.isArray(it) && it.every((each) => entry.is(each)))

/** Null or of this kind; both occur. */
export const nullOr = (other: Kind): Kind =>
  kind(`${other.says}, or null`, (it) => it === null || other.is(it), [isNull, other, ...other.sights])

/** Null or of this kind, although the sandbox has no way to show both. */
export const maybeNull = (other: Kind): Kind => kind(`${other.says}, or null`, (it) => it === null || other.is(it))

/** Absent or of this kind, never null; both occur. */
export const absentOr = (other: Kind): Kind =>
  kind(`${other.says}, or absent`, (it) => it === undefined || other.is(it), [absent, other])

/** Absent or of this kind, although the sandbox has no way to show both. */
export const maybeAbsent = (other: Kind): Kind =>
  kind(`${other.says}, or absent`, (it) => it === undefined || other.is(it))

const currencies = ["USD", "EUR", "GBP", "CAD", "CHF"]
export const currency = oneOf(...currencies)
export const money = kind(
  "money",
  (it) =>
    typeof it === "object" &&
    it !== null &&
    "amount" in it &&
    "currency" in it &&
    number.is(it.amount) &&
    currency.is(it.currency)
)
