import { type FileFormat, splitFormat } from "../PageRequest.ts"
import { findPage } from "../pages.ts"
import { dirname, posix } from "node:path"
import { entities, exactly } from "../../pages/html.ts"

/** A normalized address of the explorer. */
export interface SiteAddress {
  readonly path: string
  readonly format: FileFormat | null
  /** Sorted by name; default values are left out. */
  readonly params: ReadonlyArray<readonly [name: string, value: string]>
}

/** Parameters with their default values. */
const shownAnyway = new Set(["page=1", "days=7", "kind=regions", "finding=all", "show=notes"])
/** Parameters that only filter the list of changes. */
const ofChanges = new Set(["entity", "change", "class"])

/** Parses and normalizes the address of a link. */
export const siteAddress = (text: string): SiteAddress => {
  const url = new URL(text, "http://site")
  const isChanges = url.searchParams.get("show") === "changes"
  const params = [...url.searchParams]
    .filter(([name, value]) => !shownAnyway.has(`${name}=${value}`) && (isChanges || !ofChanges.has(name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...splitFormat(url.pathname), params }
}

/** Formats the address as a request to the explorer. */
export const addressText = ({ format, params, path }: SiteAddress): string => {
  const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString()
  return `${path}${format === null ? "" : `.${format}`}${query === "" ? "" : `?${query}`}`
}

/** Encodes other than lower-case letters by number, so that names work in every file system and address. */
const encodeName = (text: string): string =>
  text.replaceAll(/[^a-z0-9-]/gu, (letter) => `_${(letter.codePointAt(0) ?? 0).toString(16)}_`)

/** Returns the file name of an address in a site; it is unique. */
export const siteFile = ({ format, params, path }: SiteAddress): string => {
  const segments = path
    .split("/")
    .filter(Boolean)
    .map((segment) => encodeName(decodeURIComponent(segment)))
  const choice = params.map(([name, value]) => `.${encodeName(name)}=${encodeName(value)}`).join("")
  // The release notes of a difference are a separate document beside its page.
  const ending = format === null ? "html" : format === "html" ? "notes.html" : format
  return `${segments.length === 0 ? "index" : segments.join("/")}${choice}.${ending}`
}

export interface SiteScope {
  readonly games: ReadonlySet<string>
  /** Expansions by `game id`; null = all. */
  readonly sets: ReadonlySet<string> | null
  /** Products by `game id`; the set grows until their pages are rendered. */
  readonly products: Set<string>
  /** True if the site has the reader's cards. */
  readonly hasOwn: boolean
}

/** The maximum number of pages of a list in a site. */
export const listPages = 20

/** Returns the game, the section and the id of an address; the overview has none. */
export const splitAddress = ({ path }: SiteAddress) => {
  const [, , game = "", section = "", id = null] = path.split("/")
  return { gameId: decodeURIComponent(game), section, id }
}

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
  const { gameId, id, section } = splitAddress(address)
  if (!scope.games.has(gameId)) return false
  if (id === null) return true
  if (section === "products") return scope.products.has(`${gameId} ${id}`)
  return scope.sets === null || scope.sets.has(`${gameId} ${id}`)
}

const letters = new Map(Object.entries(entities).map(([letter, entity]) => [entity, letter]))
const decoded = (text: string): string => text.replaceAll(/&#?\w+;/g, (entity) => letters.get(entity) ?? entity)

const link = /<a\b(?<before>[^>]*?)\shref="(?<place>[^"]*)"(?<after>[^>]*)>(?<inner>[\s\S]*?)<\/a\s*>/g

const isOurs = (place: string): boolean => place.startsWith("/")

/** Returns all addresses of this server that a page links to. */
export const linksIn = (markup: string): ReadonlyArray<SiteAddress> =>
  Array.from(markup.matchAll(link), ({ groups }) => decoded(groups?.["place"] ?? ""))
    .filter(isOurs)
    .map(siteAddress)

/** Returns the relative path from one file of a site to another. */
export const wayTo = (from: string, to: string): string => posix.relative(dirname(from), to)

/** Converts the markup of a page for a site: links become relative, and parts that need a server are removed. */
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
          return `<a${before} href="${exactly(wayTo(file, siteFile(address)) + hash).markup}"${after}>${inner}</a>`
        }
        if (/\brel="/.test(before + after)) return ""
        return address.format === null ? inner : `${inner} (too large for this copy)`
      })
      .replaceAll(
        /(<(?:link|script)\b[^>]*?\s(?:href|src)=")\/([^"]*)"/g,
        (_, tag: string, asset: string) => `${tag}${wayTo(file, asset)}"`
      )
      // A module script does not run from the file system.
      .replaceAll(/<script type="module" blocking="render"/g, "<script defer")
      // The site may be read on a machine without the home.
      .replaceAll(/(<code class="command">[^<]*?) --home (?:&#39;.*?&#39;|the home|[^\s<]+)/g, "$1")
      .replaceAll(/\n\s+/g, "\n")
  )
}

type Groups = Readonly<Record<string, string>>
const groupsIn = (found: ReadonlyArray<unknown>): Groups => found.at(-1) as Groups
const placeIn = (found: ReadonlyArray<unknown>): string => decoded(groupsIn(found)["place"] ?? "")
