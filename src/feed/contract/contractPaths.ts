import { SchemaAST } from "effect"

/** The contract's types under a key of a value. */
export interface Inside {
  readonly types: ReadonlyArray<SchemaAST.AST>
  /** True if the key may be absent. */
  readonly isOptional: boolean
}

/** Returns the contract's types by key, `*` for any key; null if the contract does not define keys. */
export const findInside = (ast: SchemaAST.AST): ReadonlyMap<string, Inside> | null => {
  const found = new Map<string, Inside>()
  const add = (key: string, type: SchemaAST.AST, isOptional: boolean) => {
    const before = found.get(key)
    found.set(key, { types: [...(before?.types ?? []), type], isOptional: (before?.isOptional ?? false) || isOptional })
  }
  const look = (at: SchemaAST.AST): void => {
    if (SchemaAST.isUnion(at)) at.types.forEach(look)
    if (SchemaAST.isArrays(at)) at.rest.forEach((item) => add("*", item, true))
    if (!SchemaAST.isObjects(at)) return
    for (const { name, type } of at.propertySignatures) add(String(name), type, SchemaAST.isOptional(type))
    for (const { type } of at.indexSignatures) add("*", type, true)
  }
  look(ast)
  return found.size === 0 ? null : found
}

/** A place in the records of a list. */
export interface ContractPath extends Inside {
  readonly path: ReadonlyArray<string>
}

/** As deep as the lowest price of a language in a region. */
const maxSteps = 10

/** Every place that the contract has in a record of any of these kinds, from the outside in. */
export const contractPaths = (kinds: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<ContractPath> => {
  const found: Array<ContractPath> = []
  const walk = (types: ReadonlyArray<SchemaAST.AST>, path: ReadonlyArray<string>) => {
    if (path.length === maxSteps) return
    const all = types.map(findInside).filter((one) => one !== null)
    for (const key of new Set(all.flatMap((one) => [...one.keys()]))) {
      const inner = all.flatMap((one) => one.get(key) ?? [])
      const next: ContractPath = {
        path: [...path, key],
        types: inner.flatMap((one) => one.types),
        // Of a key that one kind of record has and another has not, nothing is known.
        isOptional: inner.length < all.length || inner.some((one) => one.isOptional)
      }
      found.push(next)
      walk(next.types, next.path)
    }
  }
  walk(kinds, [])
  return found
}
