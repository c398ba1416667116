import { SchemaAST } from "effect"
import { isObject } from "./isObject.ts"
import type { Aliases } from "../contract/dialect/dialects.ts"

/**
 * Which keys a schema knows, and nothing else about it: the shape used to find unknown keys.
 * `leaf` is a value that is not looked into: scalars and open objects.
 */
export type KeyShape =
  | { readonly _tag: "leaf" }
  | { readonly _tag: "fields"; readonly fields: ReadonlyMap<string, KeyShape> }
  /** A record or an array: any key, all values alike. */
  | { readonly _tag: "each"; readonly item: KeyShape }
  /** A union of structs, distinguished by the literal in `field`. */
  | { readonly _tag: "variants"; readonly field: string; readonly byLiteral: ReadonlyMap<unknown, KeyShape> }

const leaf: KeyShape = { _tag: "leaf" }

/** The shape of a schema's encoded side. Null and undefined beside a struct in a union are ignored. */
export const keyShape = (ast: SchemaAST.AST): KeyShape => {
  if (SchemaAST.isArrays(ast)) {
    const [item] = ast.rest
    return item === undefined ? leaf : each(keyShape(item))
  }
  if (SchemaAST.isObjects(ast)) {
    const [open] = ast.indexSignatures
    if (open !== undefined) return each(keyShape(open.type))
    return {
      _tag: "fields",
      fields: new Map(ast.propertySignatures.map(({ name, type }) => [String(name), keyShape(type)]))
    }
  }
  if (SchemaAST.isUnion(ast)) {
    const shapes = ast.types.map((type) => ({ type, shape: keyShape(type) })).filter(({ shape }) => shape !== leaf)
    const [first, second] = shapes
    if (first === undefined) return leaf
    return second === undefined ? first.shape : variants(shapes)
  }
  return leaf
}

const each = (item: KeyShape): KeyShape => (item === leaf ? leaf : { _tag: "each", item })

const variants = (members: ReadonlyArray<{ readonly type: SchemaAST.AST; readonly shape: KeyShape }>): KeyShape => {
  const literals = members.map(({ type }) => literalFields(type))
  const field = [...(literals[0]?.keys() ?? [])].find((name) => literals.every((of) => of.has(name)))
  if (field === undefined) throw new Error("A union of structs needs a literal field that tells them apart")
  return {
    _tag: "variants",
    field,
    byLiteral: new Map(members.map(({ shape }, index) => [literals[index]?.get(field), shape]))
  }
}

const literalFields = (ast: SchemaAST.AST): ReadonlyMap<string, unknown> =>
  new Map(
    SchemaAST.isObjects(ast)
      ? ast.propertySignatures.flatMap(({ name, type }) =>
          SchemaAST.isLiteral(type) ? [[String(name), type.literal] as const] : []
        )
      : []
  )

/** True if a parsed JSON value has no unknown key. It runs over every record of a night. */
export const knowsKeys = (at: KeyShape, value: unknown): boolean => {
  if (at._tag === "leaf" || !isObject(value)) return true
  if (at._tag === "variants") {
    const variant = at.byLiteral.get(value[at.field])
    return variant === undefined || knowsKeys(variant, value)
  }
  if (at._tag === "each") {
    if (Array.isArray(value)) return value.every((item) => knowsKeys(at.item, item))
    for (const key in value) if (!knowsKeys(at.item, value[key])) return false
    return true
  }
  for (const key in value) {
    const field = at.fields.get(key)
    if (field === undefined || (field._tag !== "leaf" && !knowsKeys(field, value[key]))) return false
  }
  return true
}

type JsonObject = Record<string, unknown>

/** A record with more unknown keys is refused. No record of any version has as many. */
export const maxUnknownKeys = 1000

/** True if a record has so many keys that most must be unknown. A walk over millions of keys takes minutes. */
export const hasTooManyKeys = (record: unknown): boolean =>
  isObject(record) && Object.keys(record).length > 2 * maxUnknownKeys

/**
 * Removes unknown keys from a record, in place, and renames aliases; values of known keys stay as they were.
 * An object at a path of `keepers` keeps its own under `extra`. Stops beyond {@link maxUnknownKeys}.
 */
export const splitUnknownKeys = (shape: KeyShape, record: unknown, aliases: Aliases, keepers: RegExp | null = null) => {
  /** Each unknown key once; open keys and array indexes read `*`: `pricesByFinish.*.sourceEur.date`. */
  const paths = new Set<string>()

  const split = (at: KeyShape, value: unknown, path: string): JsonObject | undefined => {
    if (at._tag === "leaf" || !isObject(value)) return undefined
    if (at._tag === "variants") {
      const variant = at.byLiteral.get(value[at.field])
      return variant === undefined ? undefined : split(variant, value, path)
    }
    let extra: JsonObject | undefined
    const keep = (key: string, left: unknown) => {
      // The key is defined, not assigned, because `__proto__` is data here.
      extra ??= {}
      Object.defineProperty(extra, key, { value: left, enumerable: true, configurable: true, writable: true })
    }
    for (const name of Object.keys(value)) {
      if (paths.size > maxUnknownKeys) return extra
      if (at._tag === "each") {
        const left = split(at.item, value[name], `${path}*.`)
        if (left !== undefined) keep(name, left)
        continue
      }
      const key = rename(at, value, name)
      const field = at.fields.get(key)
      if (field === undefined) {
        paths.add(path + name)
        keep(name, value[name])
        delete value[name]
      } else {
        const left = split(field, value[key], `${path}${key}.`)
        if (left !== undefined) keep(key, left)
      }
    }
    if (extra === undefined || keepers?.test(path) !== true) return extra
    value["extra"] = inOrder(extra)
    return undefined
  }

  const rename = (at: Extract<KeyShape, { _tag: "fields" }>, value: JsonObject, name: string): string => {
    if (!Object.hasOwn(aliases, name) || at.fields.has(name)) return name
    const word = aliases[name]?.find((one) => at.fields.has(one))
    if (word === undefined || Object.hasOwn(value, word)) return name
    value[word] = value[name]
    delete value[name]
    return word
  }

  /** The unknown keys with their values, nested as in the record; array indexes are keys. Undefined if none exist. */
  const extra = split(shape, record, "")
  return { extra, paths: paths as ReadonlySet<string> }
}

/** Paths of price blocks and of the regions in them: they keep their unknown keys, under `extra`. */
export const priceBlocks = /^(?:prices|pricesByFinish\.\*)\.[^.]+\.(?:regions\.\*\.)?$/

/** Returns a value with the keys of its objects sorted at any depth, so that equal values give equal texts. */
export const inOrder = (value: unknown): unknown => {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]))
}

/**
 * What a product has beyond the contract, as the loader takes it: `priceExtra` has whole price
 * blocks of unknown sources, which move as prices do; `extra` has the rest.
 */
export const productExtras = (extra: Readonly<Record<string, unknown>>) => {
  const { prices, pricesByFinish, ...rest } = extra
  const blocks = {
    ...(prices === undefined ? {} : { prices }),
    ...(pricesByFinish === undefined ? {} : { pricesByFinish })
  }
  return {
    ...(Object.keys(rest).length > 0 ? { extra: rest } : {}),
    ...(Object.keys(blocks).length > 0 ? { priceExtra: inOrder(blocks) } : {})
  }
}
