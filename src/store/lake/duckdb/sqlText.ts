/** A SQL text. DuckDB takes a NUL character for the end of a statement, so it becomes `chr(0)`. */
export const sqlText = (text: string): string =>
  text.includes("\0") ? `(${text.split("\0").map(quoted).join(" || chr(0) || ")})` : quoted(text)

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** SQL of a text with U+FFFD for each U+0000, which Postgres and Redshift cannot store. */
export const withoutNul = (text: string): string => `replace(${text}, chr(0), chr(65533))`
