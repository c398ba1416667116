import type { Column } from "./tableFile.ts"

/**
 * SQL of rows that any release may have written, as this one would have: columns that they lack are null, renamed ones have their present
 * name. Files of several releases need `union_by_name` or a select each.
 */
export const asToday = (columns: ReadonlyArray<Column>, rows: string): string => {
  const typed = columns.filter(({ type }) => type !== "")
  const renamed = typed.flatMap(({ formerly, name, type }) => (formerly === null ? [] : [{ formerly, name, type }]))
  const known = [...typed, ...renamed.map(({ formerly, type }) => ({ name: formerly, type }))]
  const nothing = `select ${known.map(({ name, type }) => `null::${type} as ${name}`).join(", ")} where false`
  const exclude = renamed.length === 0 ? "" : ` exclude (${renamed.map(({ formerly }) => formerly).join(", ")})`
  const replace =
    renamed.length === 0
      ? ""
      : ` replace (${renamed.map(({ formerly, name }) => `coalesce(${name}, ${formerly}) as ${name}`).join(", ")})`
  return `select *${exclude}${replace} from (${nothing} union all by name ${rows})`
}
