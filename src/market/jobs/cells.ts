/** What a column of a row can hold: a list or an object is read by none but `tags` and `graded`. */
export const isCell = (value: unknown): boolean =>
  value === undefined || value === null || ["string", "number", "boolean"].includes(typeof value)

/** An empty cell of a CSV and null in JSON are absent, as is what is no cell. Numbers may come as text. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || value === "" || !isCell(value) ? undefined : String(value)

export const isInteger = (text: string) => /^-?\d{1,16}$/.test(text)
