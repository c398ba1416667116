import { hash } from "node:crypto"
import { rounds } from "../tried.ts"

/** What stands in place of a text of a document, by what it tries. `outside` is an absolute path. */
const hostileValues = (outside: string): ReadonlyArray<readonly [tries: string, value: unknown]> => [
  ["a path upwards", "../../../../../../escaped"],
  ["a path upwards from within", "runs/../../../../../../escaped"],
  ["the folder above", ".."],
  ["an absolute path", outside],
  ["a path of another system", "..\\..\\..\\escaped"],
  ["a NUL", "a\0b"],
  ["10,000 letters", "a".repeat(10_000)],
  ["a number", 7],
  ["null", null],
  ["a list", [".."]],
  ["an object", { "..": ".." }]
]

/** A document with one of its texts, or the name of a key, replaced; `at` says which. */
interface Spoiled {
  readonly at: string
  readonly document: unknown
}

/** Every text of a document replaced in turn, and every name of a key, if the value is a text. */
function* spoiled(document: unknown, value: unknown, at = ""): Generator<Spoiled> {
  if (typeof document === "string") yield { at, document: value }
  if (typeof document !== "object" || document === null) return
  const isList = Array.isArray(document)
  const entries = Object.entries(document)
  for (const [name, inside] of entries) {
    const around = (one: readonly [string, unknown]) => {
      const all = entries.map((entry) => (entry[0] === name ? one : entry))
      return isList ? all.map(([, each]) => each) : Object.fromEntries(all)
    }
    for (const one of spoiled(inside, value, `${at}/${name}`))
      yield { at: one.at, document: around([name, one.document]) }
    if (!isList && typeof value === "string") yield { at: `${at}/${name} itself`, document: around([value, inside]) }
  }
}

/** A place of a document without the days, tables and positions that are read alike. */
const placeOf = (at: string) =>
  at.replace(/\/(tables|sha256)\/\w+/, "/$1/NAME").replaceAll(/(?<=\/)[^/]*\d\d[^/ ]*/g, "00")

/** A document with every value in every place in turn; in `npm test` with a few of them. */
export const hostileCases = (document: unknown, outside: string, few: number) => {
  const places = new Set<string>()
  const all = hostileValues(outside).flatMap(([tries, value]) =>
    [...spoiled(document, value)].flatMap((one) => {
      const said = `${placeOf(one.at)}: ${tries}`
      if (places.has(said)) return []
      places.add(said)
      return [{ said: `${one.at}: ${tries}`, document: one.document }]
    })
  )
  const every = Math.max(1, Math.floor(all.length / rounds(all.length, few)))
  return all.filter((_, index) => index % every === 0)
}

/** A document of a home with the sum of its text as its last key, as Cardlake writes it. */
export const withSum = (document: object): string => {
  const { sha256: _, ...rest } = document as { readonly sha256?: unknown }
  return `${JSON.stringify({ ...rest, sha256: hash("sha256", JSON.stringify(rest, null, 2)) }, null, 2)}\n`
}
