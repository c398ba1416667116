import type { Effect, Scope } from "effect"
import type { FileDamaged } from "../../store/home/verifyFile.ts"
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
import type { TakenAway } from "./TakenAway.ts"
import { searchPage } from "./search/searchPage.ts"

/** Makes the page for a request; `Scope` is the request's. */
export type PageOf = (
  asked: PageRequest
) => Effect.Effect<
  Page,
  LakeError | FileDamaged | UnsupportedContract | NotThere | BadRequest | TakenAway,
  Home | Scope.Scope
>

const at = (address: string, page: PageOf) => ({ segments: address.split("/"), page })

/** Every page by its address. */
const pages = [
  at("/", overviewPage),
  at("/search", searchPage),
  at("/own", ownPage),
  at("/console", consolePage),
  // Where an address leads that somebody shortened.
  at("/games/:game", expansionsPage),
  at("/games/:game/products/:id", productPage),
  at("/games/:game/expansions", expansionsPage),
  at("/games/:game/expansions/:id", expansionPage),
  at("/games/:game/movers", moversPage),
  at("/games/:game/spreads", spreadsPage),
  at("/games/:game/diff", diffPage),
  at("/games/:game/refusals", refusalsPage),
  at("/games/:game/audit", auditPage)
]

const isValue = (segment: string): boolean => segment.startsWith(":")

/** The page at a path, and what the path has for each `:name` of its address; null if there is none. */
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
  return { page: found.page, values }
}
