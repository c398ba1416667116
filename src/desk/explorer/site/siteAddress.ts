import { fileFormats, type FileFormat } from "../PageRequest.ts"

/** An address of the explorer, in one way of several to write it. */
export interface SiteAddress {
  readonly path: string
  readonly format: FileFormat | null
  /** Sorted by name; what a page shows anyway is left out. */
  readonly params: ReadonlyArray<readonly [name: string, value: string]>
}

/** What a page shows where its address does not say it. */
const shownAnyway = new Set(["page=1", "days=7", "kind=regions", "finding=all", "show=notes"])
/** Of differences, these choose among changes field by field alone. */
const ofChanges = new Set(["entity", "change", "class"])

/** Reads an address such as pages link to. */
export const siteAddress = (text: string): SiteAddress => {
  const url = new URL(text, "http://site")
  const format = fileFormats.find((ending) => url.pathname.endsWith(`.${ending}`)) ?? null
  const path = format === null ? url.pathname : url.pathname.slice(0, -format.length - 1)
  const isChanges = url.searchParams.get("show") === "changes"
  const params = [...url.searchParams]
    .filter(([name, value]) => !shownAnyway.has(`${name}=${value}`) && (isChanges || !ofChanges.has(name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { path, format, params }
}

/** The address as the explorer is asked for it. */
export const addressText = ({ format, params, path }: SiteAddress): string => {
  const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString()
  return `${path}${format === null ? "" : `.${format}`}${query === "" ? "" : `?${query}`}`
}

/** Letters that every file system and address takes, whatever case means there; others by their number. */
const nameOf = (text: string): string =>
  text.replaceAll(/[^a-z0-9-]/gu, (letter) => `_${(letter.codePointAt(0) ?? 0).toString(16)}_`)

/** The file of a site that an address becomes; no two have the same. */
export const fileOf = ({ format, params, path }: SiteAddress): string => {
  const segments = path
    .split("/")
    .filter(Boolean)
    .map((segment) => nameOf(decodeURIComponent(segment)))
  const choice = params.map(([name, value]) => `.${nameOf(name)}=${nameOf(value)}`).join("")
  // The release notes of a difference are a document of their own beside its page.
  const ending = format === null ? "html" : format === "html" ? "notes.html" : format
  return `${segments.length === 0 ? "index" : segments.join("/")}${choice}.${ending}`
}
