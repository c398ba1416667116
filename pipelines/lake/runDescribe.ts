import { Effect, Schema } from "effect"
import {
  historyViews,
  macros,
  nightsTable,
  readingsTable,
  reusedIdsTable
} from "../../src/lake/history/historyTables.ts"
import { openLake } from "../../src/lake/publish/openLake.ts"
import { snapshotTables } from "../../src/schema/snapshotTables.ts"
import { publishedTables } from "../../src/lake/publish/publishedTables.ts"
import type { TableFile } from "../../src/schema/tableFile.ts"

/** A column as the lake has it. */
export interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
}

/** A table, view or macro of the lake. */
export interface Described {
  readonly name: string
  readonly kind: "table" | "view" | "macro"
  readonly comment: string
  /** Parameters of a macro; empty for others. */
  readonly takes: string
  readonly example: string
  readonly columns: ReadonlyArray<DescribedColumn>
}

/** The lake has no such table, view or macro. */
export class NotInLake extends Schema.TaggedError<NotInLake>()("NotInLake", {
  name: Schema.String,
  names: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The lake has no ${this.name}. It has: ${this.names.join(", ")}`
  }
}

const groups: ReadonlyArray<readonly [Described["kind"], ReadonlyArray<TableFile>]> = [
  ["table", [...snapshotTables, ...publishedTables, nightsTable, readingsTable, reusedIdsTable]],
  ["view", historyViews],
  ["macro", macros]
]
const files = new Map(groups.flatMap(([, all]) => all.map((file) => [file.name, file] as const)))

const asIn = /^as in (\w+)$/

/** What a header says about a column, if it says `as in` another one. */
const commentOf = (file: TableFile, column: string): string => {
  const own = file.columns.find(({ name }) => name === column)?.comment
  if (own !== undefined) return own
  const all = file.columns.find(({ name }) => name === "*")?.comment ?? ""
  const other = files.get(asIn.exec(all)?.[1] ?? "")
  return other === undefined ? "" : commentOf(other, column)
}

/** Every table, view and macro of the lake, with the types that it has there; or the one that is named. */
export const runDescribe = Effect.fn("runDescribe")(function* (name: string | null) {
  const session = yield* openLake
  const wanted = groups.flatMap(([kind, all]) =>
    all.filter((file) => name === null || file.name === name).map((file) => ({ kind, file }))
  )
  if (name !== null && wanted.length === 0) return yield* new NotInLake({ name, names: [...files.keys()].sort() })
  return yield* Effect.forEach(
    wanted,
    Effect.fnUntraced(function* ({ file, kind }) {
      const columns = yield* session.rows(`Describe ${file.name}`, `describe ${file.example}`)
      return {
        name: file.name,
        kind,
        comment: file.comment,
        takes: file.takes,
        example: file.example,
        columns: columns.map((column) => ({
          name: String(column["column_name"]),
          type: String(column["column_type"]),
          comment: commentOf(file, String(column["column_name"]))
        }))
      } satisfies Described
    })
  )
}, Effect.scoped)
