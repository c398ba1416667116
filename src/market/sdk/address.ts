/** A base address without `/v1`, which the operations have. Throws what is wrong with it, without repeating it. */
export const baseAddress = (url: string): string => {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw new TypeError("`url` is not an address that begins with http:// or https://, without a user or a password")
  }
  if (base.search !== "" || base.hash !== "") throw new TypeError("`url` has a query or a fragment: leave it out")
  return base.origin + base.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")
}

/** An id in an address. `.` and `..` would lead to another operation, whatever they are written as. */
const segment = (name: string, value: unknown): string => {
  const text = String(value ?? "")
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`\`${name}\` is ${text === "" ? "empty" : `"${text}"`}, which names nothing`)
  }
  return encodeURIComponent(text)
}

/** An operation's path with its ids. */
export const filledPath = (path: string, ids: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, ids[name]))

/** What follows the path: lists repeat their name, pairs are `name[key]=value`, what is undefined is left out. */
export const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const parameters = new URLSearchParams()
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return
    if (Array.isArray(value)) value.forEach((each) => add(name, each))
    else if (typeof value === "object" && value !== null) {
      for (const [key, each] of Object.entries(value)) add(`${name}[${key}]`, each)
    } else parameters.append(name, String(value))
  }
  for (const [name, value] of Object.entries(query)) add(name, value)
  const text = parameters.toString()
  return text === "" ? "" : `?${text}`
}
