/** An object or a list. */
const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** Every field of a record as a dotted path, containers and array places included. */
export const fieldPaths = (record: unknown): ReadonlyArray<string> => {
  const paths: Array<string> = []
  const walk = (value: unknown, path: string) => {
    if (!isContainer(value)) return
    for (const [key, inner] of Object.entries(value)) {
      paths.push(path + key)
      walk(inner, `${path}${key}.`)
    }
  }
  walk(record, "")
  return paths
}

const marker = "\u0000sandbox-field\u0000"

/** The value at a dotted path; undefined when there is none. */
export const fieldValue = (record: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (isContainer(at) ? at[key] : undefined), record)

/**
 * The record's text with the field at `path` written as `write` says: it gets the field's key as JSON text (null
 * in an array) and answers the whole member, or null to leave it out. Undefined when the record has no such place.
 */
export const rewriteField = (
  text: string,
  path: string,
  write: (key: string | null) => string | null
): string | undefined => {
  const record: unknown = JSON.parse(text)
  const keys = path.split(".")
  const last = keys.pop() ?? ""
  const parent = keys.length === 0 ? record : fieldValue(record, keys.join("."))
  if (!isContainer(parent)) return undefined
  const key = Array.isArray(parent) ? null : JSON.stringify(last)
  const member = write(key)
  if (member === null) {
    if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else delete parent[last]
    return JSON.stringify(record)
  }
  parent[last] = marker
  const place = key === null ? JSON.stringify(marker) : `${key}:${JSON.stringify(marker)}`
  return JSON.stringify(record).replace(place, () => member)
}
