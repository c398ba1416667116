/** An object as a record of the catalogue has it. */
export type Json = Readonly<Record<string, unknown>>

/** Not an array, either. */
export const isPlainObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The record that a stored text holds. */
export const readRecord = (text: Uint8Array): Json => {
  const record: unknown = JSON.parse(Buffer.from(text).toString())
  return isPlainObject(record) ? record : {}
}
