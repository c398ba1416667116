import { fileFormats, type FileFormat } from "../PageRequest.ts"
import { findPage } from "../pages.ts"
import { dirname, posix } from "node:path"
import { exactly } from "../../pages/html.ts"

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

/** What a site is of. */
export interface SiteScope {
  readonly games: ReadonlySet<string>
  /** Expansions by `game id`; null = all. */
  readonly sets: ReadonlySet<string> | null
  /** Products by `game id`; grows until their pages are made. */
  readonly products: Set<string>
  /** Whether it has the reader's own cards. */
  readonly hasOwn: boolean
}

/** Pages of a list that a site has. */
export const listPages = 20

/** The game, the section and the id that an address has; the overview has none. */
export const partsOf = ({ path }: SiteAddress) => {
  const [, , game = "", section = "", id = null] = path.split("/")
  return { gameId: decodeURIComponent(game), section, id }
}

/** Whether a site has the page or file of an address. */
export const isInSite = (scope: SiteScope, address: SiteAddress): boolean => {
  const { params, path } = address
  const choices = findPage(path)?.choices ?? null
  const names = params.map(([name]) => name).filter((name) => name !== "page")
  if (choices === null) return false
  if (!("anyOf" in choices ? names.every((name) => choices.anyOf.includes(name)) : choices.includes(names.join()))) {
    return false
  }
  if (params.some(([name, value]) => name === "page" && Number(value) > listPages)) return false
  if (path === "/") return address.format === null
  if (path === "/own") return scope.hasOwn && params.every(([name, value]) => name !== "game" || scope.games.has(value))
  const { gameId, id, section } = partsOf(address)
  if (!scope.games.has(gameId)) return false
  if (id === null) return true
  if (section === "products") return scope.products.has(`${gameId} ${id}`)
  return scope.sets === null || scope.sets.has(`${gameId} ${id}`)
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'"
}
const decoded = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? "")

const link = /<a\b(?<before>[^>]*?)\shref="(?<place>[^"]*)"(?<after>[^>]*)>(?<inner>[\s\S]*?)<\/a\s*>/g

const isOurs = (place: string): boolean => place.startsWith("/")

/** Every address of this server that a page links to. */
export const linksIn = (markup: string): ReadonlyArray<SiteAddress> =>
  Array.from(markup.matchAll(link), ({ groups }) => decoded(groups?.["place"] ?? ""))
    .filter(isOurs)
    .map(siteAddress)

/** The way from one file of a site to another. */
export const wayTo = (from: string, to: string): string => posix.relative(dirname(from), to)

/** The markup of a page as a file of a site: links lead to files beside it, and what needs a server is gone. */
export const siteMarkup = (markup: string, file: string, has: (address: SiteAddress) => boolean): string => {
  const isDead = (place: string) => isOurs(place) && !has(siteAddress(place))
  return (
    markup
      .replaceAll(/<form\b[\s\S]*?<\/form\s*>/g, "")
      .replaceAll(/<nav class="switch[\s\S]*?<\/nav\s*>/g, (nav) => {
        const left = nav.replaceAll(link, (whole, ...found) => (isDead(placeIn(found)) ? "" : whole))
        return (left.match(/<a\b/g)?.length ?? 0) < 2 ? "" : left
      })
      .replaceAll(link, (whole: string, ...found) => {
        const { after = "", before = "", inner = "" } = groupsIn(found)
        const place = placeIn(found)
        if (!isOurs(place)) return whole
        const address = siteAddress(place)
        if (has(address)) {
          const { hash } = new URL(place, "http://site")
          return `<a${before} href="${exactly(wayTo(file, fileOf(address)) + hash).markup}"${after}>${inner}</a>`
        }
        if (/\brel="/.test(before + after)) return ""
        return address.format === null ? inner : `${inner} (too large for this copy)`
      })
      .replaceAll(
        /(<(?:link|script)\b[^>]*?\s(?:href|src)=")\/([^"]*)"/g,
        (_, tag: string, asset: string) => `${tag}${wayTo(file, asset)}"`
      )
      // A module does not run from a folder that nobody serves.
      .replaceAll(/<script type="module" blocking="render"/g, "<script defer")
      // The home is somewhere on another machine.
      .replaceAll(/(<code class="command">[^<]*?) --home (?:&#39;.*?&#39;|the home|[^\s<]+)/g, "$1")
      .replaceAll(/\n\s+/g, "\n")
  )
}

type Groups = Readonly<Record<string, string>>
const groupsIn = (found: ReadonlyArray<unknown>): Groups => found.at(-1) as Groups
const placeIn = (found: ReadonlyArray<unknown>): string => decoded(groupsIn(found)["place"] ?? "")
