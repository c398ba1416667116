import type { Column } from "../../../feed/schema/tableFile.ts"

/** SQL of a table without a row. */
export const noRows = (columns: ReadonlyArray<Pick<Column, "name" | "type">>): string => {
  const nulls = columns.flatMap(({ name, type }) => (type === "" ? [] : [`null::${type} as ${name}`]))
  return `select ${nulls.join(", ")} where false`
}

/**
 * SQL of rows that any release may have written, as this one would have: columns that they lack are null, renamed
 * ones have their current name. Files of several releases need `union_by_name` or one select each.
 */
export const withCurrentColumns = (columns: ReadonlyArray<Column>, rows: string): string => {
  const typed = columns.filter(({ type }) => type !== "")
  const renamed = typed.flatMap(({ formerly, name, type }) =>
    formerly === null ? [] : [{ formerly: formerly.name, name, type }]
  )
  const known = [...typed, ...renamed.map(({ formerly, type }) => ({ name: formerly, type }))]
  const exclude = renamed.length === 0 ? "" : ` exclude (${renamed.map(({ formerly }) => formerly).join(", ")})`
  const replacements = renamed.map(({ formerly, name }) => `coalesce(${name}, ${formerly}) as ${name}`)
  const replace = replacements.length === 0 ? "" : ` replace (${replacements.join(", ")})`
  return `select *${exclude}${replace} from (${noRows(known)} union all by name ${rows})`
}
