import { refusalPaths, tokens } from "./breakages.ts"
import { type Field, withInner } from "./fieldTable.ts"
import { type RecordKind, recordTables } from "./recordTables.ts"

export interface BrokenRecord {
  /** Record kind, path and breakage: `card expansion.id null`. */
  readonly name: string
  readonly text: (id: number) => string
  /** The paths that its refusal may name; none where it is accepted. */
  readonly refusedAt: ReadonlyArray<string>
  /** Whether the record still has the id that it was given. */
  readonly hasId: boolean
}

/** The texts that replace a member; `key` ends with its colon. */
type Members = (key: string, value: string, id: number) => ReadonlyArray<string>

interface Broken {
  readonly path: string
  readonly members: Members
}

const valueText = (field: Field, id: number, broken: Broken | null): string => {
  if (field.fields.length === 0) return field.sample.replace("ID", String(id))
  const inner = membersText(field.fields, id, broken, field.kind === "list")
  return field.kind === "list" ? `[${inner}]` : `{${inner}}`
}

const membersText = (fields: ReadonlyArray<Field>, id: number, broken: Broken | null, inList: boolean): string =>
  fields
    .flatMap((field) => {
      const key = inList ? "" : `"${field.key}":`
      const value = valueText(field, id, broken)
      return broken?.path === field.path ? broken.members(key, value, id) : [key + value]
    })
    .join(",")

const recordText = (kind: RecordKind, id: number, broken: Broken | null = null) =>
  `{${membersText(recordTables[kind], id, broken, false)}}`

/** An id that no other record has: of two equal keys, the last one counts. */
const otherId = (id: number) => id + 5_000_000

const opening = (key: string, start: string) => `"${start}${key.slice(1)}`
const otherCase = (key: string) => {
  const letter = key.slice(1, 2)
  return `"${letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()}${key.slice(2)}`
}

/** Ways to break a key. */
const brokenKeys: Readonly<Record<string, Members>> = {
  twice: (key, value) => [key + value, key + value],
  twiceOtherValue: (key, value, id) => [key + value, `${key}${otherId(id)}`],
  twiceEscaped: (key, value) => [
    key + value,
    String.raw`"\u00${key.charCodeAt(1).toString(16)}${key.slice(2)}${value}`
  ],
  twiceBlankBeforeColon: (key, value) => [`${key.slice(0, -1)} :${value}`, key + value],
  twiceOtherCase: (key, value) => [key + value, otherCase(key) + value],
  missing: () => [],
  otherCaseKey: (key, value) => [otherCase(key) + value],
  emptyKey: (_, value) => [`"":${value}`],
  protoKey: (_, value) => [`"__proto__":${value}`],
  byteOrderMarkKey: (key, value) => [opening(key, "\uFEFF") + value],
  nullCharacterKey: (key, value) => [opening(key, String.raw`\u0000`) + value],
  loneSurrogateKey: (key, value) => [opening(key, String.raw`\ud800`) + value]
}

const parentOf = (path: string) => path.split(".").slice(0, -1).join(".")

const refusedForKey = ({ path, presence }: Field, how: string): ReadonlyArray<string> => {
  if (how === "twiceOtherCase") return []
  if (how.startsWith("twice")) return [path]
  // A path with half a surrogate pair could not be written to a file.
  if (how === "loneSurrogateKey") return [parentOf(path)]
  return presence === "required" || presence === "nullable" ? [path] : []
}

const brokenFields = (kind: RecordKind, hugeChars: number): ReadonlyArray<BrokenRecord> => {
  const fields = withInner(recordTables[kind])
  const inLists = new Set(fields.flatMap((field) => (field.kind === "list" ? field.fields : [])))
  return fields.flatMap((field) => {
    const broken = (how: string, refusedAt: ReadonlyArray<string>, members: Members): BrokenRecord => ({
      name: `${kind} ${field.path} ${how}`,
      text: (id) => recordText(kind, id, { path: field.path, members }),
      refusedAt,
      hasId: field.path !== "id"
    })
    const byValue = tokens(hugeChars).map(([how, token]) =>
      broken(how, refusalPaths(field, how), (key, _, id) => [key + token(field.sample, id)])
    )
    const byKey = Object.entries(brokenKeys)
      .filter(([how]) => how === "missing" || !inLists.has(field))
      // A duplicate key inside the value would be noticed as well.
      .filter(([how]) => how !== "twiceBlankBeforeColon" || field.sample !== "")
      .map(([how, members]) =>
        broken(field.presence === "member" ? how.replace("Key", "Member") : how, refusedForKey(field, how), members)
      )
    return byValue.concat(byKey)
  })
}

/** Other values in place of a record; of an object `id` or `productType` is missed first. */
const brokenWholes = (kind: RecordKind, hugeChars: number): ReadonlyArray<BrokenRecord> =>
  tokens(hugeChars).map(([how, token]) => ({
    name: `${kind} record ${how}`,
    text: (id) => token("", id),
    refusedAt: [
      /object$/i.test(how) ? (kind === "expansion" ? "id" : "productType") : "",
      ...(how.startsWith("deep") ? [""] : [])
    ],
    hasId: false
  }))

/** Breakages left out, because only one record could have such an id. */
const indistinct = [" id negativeZero", " id 2^53-1", " id 1e-400"]

/** The unbroken record of a kind, then that record broken in one place, in every way. */
export const brokenRecords = (kind: RecordKind, hugeChars: number): ReadonlyArray<BrokenRecord> =>
  [
    { name: `${kind} whole`, text: (id: number) => recordText(kind, id), refusedAt: [], hasId: true },
    ...brokenWholes(kind, hugeChars),
    ...brokenFields(kind, hugeChars)
  ].filter(({ name }) => !indistinct.some((end) => name.endsWith(end)))
