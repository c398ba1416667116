import { Effect, Schema } from "effect"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { lakeFiles } from "../history/historyTables.ts"

/** Returns the edit distance of two texts: inserted, deleted, replaced or swapped letters. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (rows[i - 1]?.[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (rows[i - 1]?.[j - 1] ?? 0) + same,
          isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** Returns up to three similar names: at most a third of their letters differ, or they contain the word. */
const nearNames = (name: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const word = name.toLowerCase()
  return names
    .map((name) => ({ name, letters: distance(word, name) }))
    .filter(({ letters, name }) => letters <= name.length / 3 || (word.length > 2 && name.includes(word)))
    .toSorted((a, b) => a.letters - b.letters)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** The lake has no table, view or macro of this name. */
export class NotInLake extends Schema.TaggedError<NotInLake>()("NotInLake", {
  name: Schema.String,
  names: Schema.Array(Schema.String)
}) {
  get fact() {
    const near = nearNames(this.name, this.names)
    const meant = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`
    return `The lake has no ${this.name}.${meant}`
  }

  override get message() {
    return `${this.fact} List its names: cardlake describe`
  }
}

const files = new Map(lakeFiles.flatMap(([kind, all]) => all.map((file) => [file.name, { kind, file }] as const)))

/** Returns all tables, views and macros of a lake, or the named one. */
export const filesNamed = Effect.fnUntraced(function* (name: string | null) {
  const wanted = [...files.values()].filter(({ file }) => name === null || file.name === name)
  if (name !== null && wanted.length === 0) return yield* new NotInLake({ name, names: [...files.keys()].sort() })
  return wanted
})

const asIn = /^as in (\w+)$/

/** Returns the comments of columns by name. The line `*: as in` of a header refers to another table. */
export const columnComments = (file: TableFile): ReadonlyMap<string, string> => {
  const all = file.columns.find(({ name }) => name === "*")?.comment ?? ""
  const other = files.get(asIn.exec(all)?.[1] ?? "")?.file
  const comments = file.columns.map(({ comment, name }) => [name, comment] as const)
  return new Map([...(other === undefined ? [] : columnComments(other)), ...comments])
}

/** Splits what a macro takes into parameters with their meanings. A meaning may contain a semicolon. */
export const splitTakes = (takes: string): ReadonlyArray<string> =>
  takes === "" ? [] : takes.split(/; (?=\w+(?:, \w+)*: )/)
