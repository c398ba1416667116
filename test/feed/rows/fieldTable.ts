/** What the contract says of a value. */
export type Kind =
  | "id"
  | "count"
  | "price"
  | "percent"
  | "boolean"
  | "text"
  | "nonEmpty"
  | "currency"
  /** The id of the game that is read. */
  | "game"
  /** The one word that it may be. */
  | "word"
  /** Values of one kind in their order. */
  | "list"
  /** Any keys, values of one kind. */
  | "map"
  /** Known keys; others are kept in `extra`. */
  | "struct"
  /** Any keys, any values. */
  | "open"
  | "any"

/**
 * Whether the value may be missing or null: `absent` either, `nullable` only null, `required` neither.
 * A `member` of a list or map may be missing: the list or map is then shorter.
 */
export type Presence = "required" | "nullable" | "absent" | "member"

/** A field of a record with everything below it. */
export interface Field {
  /** Dotted, as refusals name it. */
  readonly path: string
  readonly key: string
  readonly kind: Kind
  readonly presence: Presence
  /** A good value as JSON text; empty where the fields below make it up. */
  readonly sample: string
  readonly fields: ReadonlyArray<Field>
}

type Row = Omit<Field, "fields">

const rowOf = (line: string): Row => {
  const [, path = "", presence, kind, sample = ""] = /^(\S+) +(\w+) +(\w+) *(.*)$/.exec(line) ?? []
  return { path, key: path.split(".").at(-1) ?? "", kind: kind as Kind, presence: presence as Presence, sample }
}

const fieldsUnder = (rows: ReadonlyArray<Row>, path: string): ReadonlyArray<Field> =>
  rows
    .filter((row) => row.path === path + row.key)
    .map((row) => Object.assign(row, { fields: fieldsUnder(rows, `${row.path}.`) }))

/** The fields of a table: a line each with path, presence, kind and sample, in the contract's order. */
export const fieldsOf = (table: string): ReadonlyArray<Field> =>
  fieldsUnder(
    table
      .split("\n")
      .filter((line) => line !== "")
      .map(rowOf),
    ""
  )

/** All fields, each followed by those below it. */
export const withInner = (fields: ReadonlyArray<Field>): ReadonlyArray<Field> =>
  fields.flatMap((field) => [field, ...withInner(field.fields)])

/** A good record of the fields; `value` stands at the path `at`, and undefined leaves its key out. */
export const recordOf = (fields: ReadonlyArray<Field>, at = "", value?: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fields.map((field) => [field.key, valueOf(field, at, value)]))

const valueOf = (field: Field, at: string, value: unknown): unknown => {
  if (field.path === at) return value
  if (field.fields.length === 0) return JSON.parse(field.sample)
  const inner = recordOf(field.fields, at, value)
  return field.kind === "list" ? Object.values(inner).filter((one) => one !== undefined) : inner
}
