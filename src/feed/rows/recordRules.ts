// oxlint-disable-next-line import/no-unassigned-import -- importing it is what switches the compiler on
import "effect/schema/SchemaJITCompiler/enable"
import { Schema } from "effect"
import type { Aliases, Dialect } from "../contract/dialect/dialects.ts"
import { isWordy, records, type PageKind } from "../contract/records.ts"
import { listPath, rewordRecord } from "../contract/dialect/reworded.ts"
import { keyShape, type KeyShape, inOrder, priceBlocks, productExtras } from "./splitUnknownKeys.ts"
import { isObject } from "./isObject.ts"
import { foundAt, schemaFault } from "../contract/schemaFault.ts"

/** The contract of one list's records, compiled: whether a record is accepted, and if not, why. */
export interface RecordRules {
  readonly kind: PageKind
  readonly shape: KeyShape
  readonly aliases: Aliases
  /** The keys that lead to the records of a page. */
  readonly path: ReadonlyArray<string>
  /** Changes a parsed record, so that its keys are where the contract expects them. */
  readonly reword: (record: unknown) => void
  /** Paths of objects that keep their own unknown keys; null = none do. */
  readonly keepers: RegExp | null
  /** The other unknown keys of a record, as the loader takes them. */
  readonly extras: (extra: Readonly<Record<string, unknown>>) => object
  readonly isRecord: (record: unknown) => boolean
  readonly areRecords: (records: unknown) => boolean
  /** Path and reason of the first fault of a record that {@link isRecord} rejects. */
  readonly fault: (record: unknown) => { readonly path: string; readonly reason: string }
}

/** A translation keeps its unknown keys, under `extra`. */
const translations = /^translations\.\*\.$/

const keptKeys: { readonly [Kind in PageKind]?: RegExp } = {
  products: priceBlocks,
  prices: priceBlocks,
  catalog: translations
}

const extraReaders: { readonly [Kind in PageKind]?: RecordRules["extras"] } = {
  products: productExtras,
  prices: (extra) => ({ priceExtra: inOrder(extra) })
}

const rules = (kind: PageKind, record: Schema.Codec<unknown, unknown>, dialect: Dialect): RecordRules => {
  const { aliases } = dialect
  const shape = keyShape(record.ast)
  const findFault = schemaFault(record)
  return {
    kind,
    shape,
    aliases: isWordy(kind) ? aliases.products : kind === "changelog" ? aliases.changelog : {},
    path: listPath(kind, dialect),
    reword: (value) => rewordRecord(value, kind, dialect),
    keepers: keptKeys[kind] ?? null,
    extras: extraReaders[kind] ?? ((extra) => ({ extra })),
    isRecord: Schema.is(record),
    areRecords: Schema.is(Schema.Array(record)),
    fault: (value) => unknownVariant(shape, value) ?? findFault(value)
  }
}

/** A record of unknown kind: the field that distinguishes the kinds is at fault, not the whole record. */
const unknownVariant = (shape: KeyShape, value: unknown) => {
  if (shape._tag !== "variants" || !isObject(value) || Array.isArray(value)) return null
  const kind: unknown = Object.getOwnPropertyDescriptor(value, shape.field)?.value
  if (shape.byLiteral.has(kind)) return null
  const kinds = [...shape.byLiteral.keys()].map(String).join(" or ")
  return { path: shape.field, reason: `Expected ${kinds}, got ${foundAt(value, [shape.field])}` }
}

/** Compiled once a thread, by the dialect's name. */
const compiled = new Map<string, Readonly<Record<PageKind, RecordRules>>>()

/** The rules of every list in a dialect. The JIT compiler above comes before them. Design: decision 4. */
export const recordRules = (dialect: Dialect): Readonly<Record<PageKind, RecordRules>> => {
  const known = compiled.get(dialect.name)
  if (known !== undefined) return known
  const rulesByList = Object.fromEntries(
    Object.entries(records(dialect)).map(([kind, record]) => [kind, rules(kind as PageKind, record, dialect)])
  ) as Readonly<Record<PageKind, RecordRules>>
  compiled.set(dialect.name, rulesByList)
  return rulesByList
}
