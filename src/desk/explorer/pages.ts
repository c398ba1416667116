import type { Effect, Scope } from "effect"
import type { FileDamaged } from "../../store/home/disk.ts"
import type { UnsupportedContract } from "../../store/home/jsonFile.ts"
import type { Home } from "../../store/home/Home.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { PageRequest, BadRequest, NotThere, Page } from "./PageRequest.ts"
import { auditPage } from "./pages/auditPage.ts"
import { consolePage } from "./pages/consolePage.ts"
import { diffPage } from "./pages/diffPage.ts"
import { expansionPage } from "./pages/expansionPage.ts"
import { expansionsPage } from "./pages/expansionsPage.ts"
import { moversPage } from "./pages/moversPage.ts"
import { ownPage } from "./pages/ownPage.ts"
import { overviewPage } from "./pages/overviewPage.ts"
import { productPage } from "./pages/productPage.ts"
import { refusalsPage } from "./pages/refusalsPage.ts"
import { spreadsPage } from "./pages/spreadsPage.ts"
import type { FileAnswer } from "./FileAnswer.ts"
import { searchPage } from "./search/searchPage.ts"

/** Renders the page for a request; `Scope` is the request's. */
export type PageOf = (
  request: PageRequest
) => Effect.Effect<
  Page,
  LakeError | FileDamaged | UnsupportedContract | NotThere | BadRequest | FileAnswer,
  Home | Scope.Scope
>

/**
 * The parameters of a page that its copy in a static site supports, in order, such as `days`; `page` is implied.
 * Other choices need a server. Null = the site does not have the page.
 */
type ChoicesInSite = ReadonlyArray<string> | { readonly anyOf: ReadonlyArray<string> } | null

const at = (address: string, page: PageOf, choices: ChoicesInSite) => ({ segments: address.split("/"), page, choices })

const pages = [
  at("/", overviewPage, [""]),
  at("/search", searchPage, null),
  at("/own", ownPage, ["", "collection", "currency", "collection,currency", "game,set"]),
  at("/console", consolePage, null),
  // A shortened address leads here.
  at("/games/:game", expansionsPage, null),
  at("/games/:game/products/:id", productPage, [""]),
  at("/games/:game/expansions", expansionsPage, [""]),
  at("/games/:game/expansions/:id", expansionPage, [""]),
  at("/games/:game/movers", moversPage, ["", "days", "way", "currency,way"]),
  at("/games/:game/spreads", spreadsPage, ["", "kind"]),
  at("/games/:game/diff", diffPage, { anyOf: ["from", "to", "show", "entity", "change", "class"] }),
  at("/games/:game/refusals", refusalsPage, [""]),
  at("/games/:game/audit", auditPage, ["", "finding"])
]

const isValue = (segment: string): boolean => segment.startsWith(":")

/** Returns the page at a path, and the value of each `:name` of its address; null if there is none. */
export const findPage = (path: string) => {
  const given = path.split("/")
  const found = pages.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, place) => (isValue(segment) ? given[place] !== "" : given[place] === segment))
  )
  if (found === undefined) return null
  const values = found.segments
    .map((segment, place) => [segment.slice(1), given[place] ?? ""] as const)
    .filter((_, place) => isValue(found.segments[place] ?? ""))
  return { page: found.page, choices: found.choices, values }
}

/** The pages of a game in a static site, without those of a set or product. */
export const sectionsInSite = pages.flatMap(({ choices, segments: [, games, game, section, ...more] }) =>
  games === "games" && game === ":game" && section !== undefined && more.length === 0 && choices !== null
    ? [section]
    : []
)
