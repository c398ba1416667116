import { SchemaAST } from "effect"
import { isObject } from "./isObject.ts"

/**
 * Which keys a schema knows, and nothing else about it: the shape used to find unknown keys.
 * `leaf` is a value that is not looked into: scalars and open objects.
 */
export type KeyShape =
  | { readonly _tag: "leaf" }
  /** A struct. */
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
