import type { SiteAddress } from "./siteAddress.ts"

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

/** Which choices of a page a site has, by the names of its parameters; what else could be chosen needs a server. */
const choices: Readonly<Record<string, ReadonlyArray<string>>> = {
  expansions: ["", "page"],
  movers: ["", "days", "way", "page,way"],
  spreads: ["", "kind", "page", "kind,page"],
  refusals: ["", "page"],
  audit: ["", "finding", "page", "finding,page"],
  products: [""]
}
/** The same of one's own cards; the last is what a set lacks. */
const ofOwn = new Set(["", "collection", "currency", "collection,currency", "game,set"])
const ofDifferences = new Set(["from", "to", "show", "page", "entity", "change", "class"])

/** The game, the section and the id that an address has; the overview has none. */
export const partsOf = ({ path }: SiteAddress) => {
  const [, games = "", game = "", section = "", id = null, ...more] = path.split("/")
  return { isGame: games === "games" && more.length === 0, gameId: decodeURIComponent(game), section, id }
}

const isOwnInSite = (scope: SiteScope, { params }: SiteAddress): boolean => {
  const names = params.map(([name]) => name).filter((name) => name !== "page")
  return (
    ofOwn.has(names.join()) &&
    params.every(([name, value]) =>
      name === "page" ? Number(value) <= listPages : name !== "game" || scope.games.has(value)
    )
  )
}

/** Whether a site has the page or file of an address. */
export const isInSite = (scope: SiteScope, address: SiteAddress): boolean => {
  const { params, path } = address
  if (path === "/") return params.length === 0 && address.format === null
  if (path === "/own") return scope.hasOwn && isOwnInSite(scope, address)
  const { gameId, id, isGame, section } = partsOf(address)
  if (!isGame || !scope.games.has(gameId)) return false
  if (params.some(([name, value]) => name === "page" && Number(value) > listPages)) return false
  const names = params.map(([name]) => name)
  if (section === "diff") return id === null && names.every((name) => ofDifferences.has(name))
  if (choices[section]?.includes(names.join()) !== true) return false
  if (id === null) return section !== "products"
  if (section === "products") return scope.products.has(`${gameId} ${id}`)
  return section === "expansions" && (scope.sets === null || scope.sets.has(`${gameId} ${id}`))
}
