import { readFileSync } from "node:fs"

/** What people type, and what they mean by it: what is said of the product must be true of the first or the second. */
export interface Wanted {
  readonly said: string
  readonly name?: string
  readonly code?: string
  readonly number?: string
}

/** Over the demo's home, and over the real catalogues of Magic and Riftbound; judged by people from the data. */
export const searches = JSON.parse(
  readFileSync(new URL("../../../fixtures/searches.json", import.meta.url), "utf8")
) as Readonly<Record<"demo" | "catalogue", ReadonlyArray<Wanted>>>

export const firstTwo = ({ said }: Wanted): string =>
  `select name, expansion_code, print_number from find_products('${said.replaceAll("'", "''")}', most := 2) order by place`

/** Whether one of these rows of {@link firstTwo} is wanted. */
export const isAmong = ({ code, name, number }: Wanted, rows: ReadonlyArray<ReadonlyArray<unknown>>): boolean =>
  rows.some((row) => [name, code, number].every((wanted, column) => wanted === undefined || wanted === row[column]))
