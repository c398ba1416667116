import { Clock, DateTime, Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { tellWork } from "../../../store/home/WorkProgress.ts"
import { readOwn } from "../../own/Own.ts"
import { NoCollection } from "../../own/changeOwn.ts"
import { GameNotInLake } from "../../../store/lake/publish/openLake.ts"
import { siteAssets } from "../assets.ts"
import { makeDiffReader } from "../DiffReader.ts"
import { type LakeView, makeLakeReader } from "../LakeReader.ts"
import { readRequest, knownGames, makePage } from "../makePage.ts"
import { sectionsInSite } from "../pages.ts"
import { gameAddress, type KnownGame } from "../PageRequest.ts"
import { withoutHome } from "../withoutPaths.ts"
import { openSiteFolder } from "./siteFolder.ts"
import {
  addressText,
  siteFile,
  type SiteAddress,
  siteAddress,
  isInSite,
  splitAddress,
  type SiteScope,
  listPages,
  linksIn,
  siteMarkup
} from "./siteAddress.ts"
import { productsInOrder, searchable, setsNamed } from "./siteProducts.ts"
import { html, type Html } from "../../pages/html.ts"
import { counted } from "../dataTable.ts"

/** The note below every page of a site: its date, and a link to what the site leaves out. */
const copyNote = (writtenOn: string): Html => html`<p>Copy of ${writtenOn}. <a href="/#copy">What is left out</a></p>`

/** The note on the first page of a site: its contents, and which parts of the explorer it leaves out, and why. */
const copyContents = (writtenOn: string, products: number): Html =>
  html`<h2 id="copy">About this copy</h2>
    <p class="says">
      Created on ${writtenOn} by <code>cardlake explore --export</code>. It has a page for the ${counted(products)} most
      expensive products of every game and for products on this page, in movers and in differences. The search finds
      them by name, set and number. A static copy has no SQL console, filters, sorting or other chart periods. Lists
      after page ${listPages}, files above 2 MB and alerts for the owner are left out.
    </p>`

/** The parts of a home to export as a site, and the target. */
export interface SiteOf {
  readonly folder: string
  /** Empty = every game of the lake. */
  readonly games: ReadonlyArray<string>
  /** Codes or ids; empty = all. */
  readonly sets: ReadonlyArray<string>
  /** The number of product pages per game, most expensive first; products on the first pages have one, too. */
  readonly products: number
  /** True if the site has the page of the reader's cards. */
  readonly withCollection: boolean
}

/** The maximum file size in bytes; larger files are not written. */
export const largestFile = 2_000_000
const maxConcurrent = 4

const chosenGames = Effect.fnUntraced(function* (lake: LakeView, of: SiteOf) {
  const all = yield* knownGames(lake)
  const unknown = of.games.filter((wanted) => all.every(({ gameId }) => gameId !== wanted))
  if (unknown.length > 0) return yield* new GameNotInLake({ wanted: unknown, games: all.map(({ gameId }) => gameId) })
  const games = of.games.length === 0 ? all : all.filter(({ gameId }) => of.games.includes(gameId))
  return { games, sets: yield* setsNamed(lake, games, of.sets) }
})

/** Returns a function that renders the page or file at an address. */
const pageMaker = Effect.fnUntraced(function* (
  lake: LakeView,
  { products, withCollection }: SiteOf,
  { games, writtenOn }: { readonly games: ReadonlyArray<KnownGame>; readonly writtenOn: string }
) {
  const { root } = yield* Home
  const differences = yield* makeDiffReader
  const copy = copyNote(writtenOn)
  return Effect.fnUntraced(function* (address: SiteAddress) {
    const url = new URL(addressText(address), "http://127.0.0.1")
    const view = { ...lake, rows: yield* lake.beside }
    const below = address.path === "/" ? copyContents(writtenOn, products) : copy
    const none = { form: null, isLedHere: false, hasPictures: false, program: "cardlake" }
    const rest = { lake: view, differences, copy: below, hasOwn: withCollection, games, ...none }
    const { text } = yield* makePage(yield* readRequest(url, rest))
    return withoutHome(text, root)
  }, Effect.scoped)
})
type MakePage = Effect.Success<ReturnType<typeof pageMaker>>

/** Writes the pages of a site with the files that they link to, and queues each linked page once. */
const siteWriter = (site: Effect.Success<ReturnType<typeof openSiteFolder>>, scope: SiteScope, make: MakePage) => {
  const written = { pages: 0, files: 0, bytes: 0 }
  const put = (file: string, text: string) => Effect.map(site.write(file, text), (size) => void (written.bytes += size))
  /** Files by name; true if the file is small enough to be written. */
  const small = new Map<string, boolean>()
  const putFile = Effect.fnUntraced(function* (address: SiteAddress) {
    const file = siteFile(address)
    if (small.has(file)) return
    small.set(file, false)
    const text = yield* make(address)
    if (text.length > largestFile) return
    small.set(file, true)
    written.files++
    yield* put(file, text)
  })
  const seen = new Set<string>()
  const waiting: Array<SiteAddress> = []
  const find = (addresses: ReadonlyArray<SiteAddress>) => {
    for (const address of addresses) {
      const file = siteFile(address)
      if (address.format !== null || seen.has(file) || !isInSite(scope, address)) continue
      seen.add(file)
      waiting.push(address)
    }
  }
  const putPage = Effect.fnUntraced(function* (address: SiteAddress, markup: string) {
    const links = linksIn(markup)
    find(links)
    for (const link of links) if (link.format !== null && isInSite(scope, link)) yield* putFile(link)
    const has = (link: SiteAddress) =>
      isInSite(scope, link) && (link.format === null || small.get(siteFile(link)) === true)
    written.pages++
    yield* put(siteFile(address), siteMarkup(markup, siteFile(address), has))
  })
  const filesLeftOut = () => [...small.values()].filter((isSmall) => !isSmall).length
  return { find, waiting, seen, put, putPage, written, filesLeftOut }
}
type SiteWriter = ReturnType<typeof siteWriter>

type MadePage = readonly [SiteAddress, markup: string]

/** Renders the pages of the games, and the pages they link to, except products and further pages of lists. */
const pagesOfGames = Effect.fnUntraced(function* ({ find, waiting }: SiteWriter, make: MakePage, scope: SiteScope) {
  const ofGames = [...scope.games].flatMap((gameId) => sectionsInSite.map((section) => gameAddress(gameId, section)))
  find(["/", ...(scope.hasOwn ? ["/own"] : []), ...ofGames].map(siteAddress))
  const heads: Array<MadePage> = []
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const markup = yield* make(address)
    heads.push([address, markup])
    find(
      linksIn(markup).filter((link) => splitAddress(link).id === null && link.params.every(([name]) => name !== "page"))
    )
  }
  return heads
})

/** Returns the products, as `game id`, that the overview, movers, differences and the reader's cards link to. */
const linkedProducts = (heads: ReadonlyArray<MadePage>): ReadonlySet<string> =>
  new Set(
    heads
      .filter(
        ([{ params, path }]) =>
          path === "/" || path === "/own" || path.endsWith("/movers") || (path.endsWith("/diff") && params.length < 2)
      )
      .flatMap(([, markup]) => linksIn(markup))
      .map(splitAddress)
      .flatMap(({ gameId, id, section }) => (section === "products" ? [`${gameId} ${id}`] : []))
  )

/** Adds the products that get a page to the scope. Returns the search entries of these products. */
const chooseProducts = Effect.fnUntraced(function* (
  lake: LakeView,
  scope: SiteScope,
  { linked, most }: { readonly linked: ReadonlySet<string>; readonly most: number }
) {
  const found: Array<ReturnType<typeof searchable>> = []
  for (const gameId of scope.games) {
    const rows = yield* productsInOrder(lake, gameId, scope.sets)
    for (const [place, row] of rows.entries()) {
      const key = `${gameId} ${String(row["product_id"])}`
      if (place >= most && !linked.has(key)) continue
      scope.products.add(key)
      found.push(searchable(gameId, row))
    }
  }
  return found
})

/** Renders and writes all queued pages and those that they link to. */
const putWaiting = Effect.fnUntraced(function* ({ putPage, seen, waiting, written }: SiteWriter, make: MakePage) {
  let done = written.pages
  while (waiting.length > 0) {
    yield* Effect.forEach(
      waiting.splice(0, 100),
      Effect.fnUntraced(function* (address) {
        yield* putPage(address, yield* make(address))
        done++
        yield* tellWork(splitAddress(address).gameId, done / (seen.size + 1))
      }),
      { concurrency: maxConcurrent, discard: true }
    )
  }
})

/** Exports the explorer as a static site with relative links, which any web server can serve. */
export const exportSite = Effect.fn("exportSite")(function* (of: SiteOf) {
  const home = yield* Home
  const lakes = yield* makeLakeReader
  // All pages read the same lake, even if a night publishes meanwhile.
  const lake = yield* lakes.view
  const { games, sets } = yield* chosenGames(lake, of)
  if (of.withCollection && (yield* readOwn).collections.length === 0)
    return yield* new NoCollection({ what: "--with-collection found no cards", names: [] })
  const site = yield* openSiteFolder(of.folder, home.root)
  const gameIds = games.map(({ gameId }) => gameId)
  const scope: SiteScope = { games: new Set(gameIds), sets, products: new Set(), hasOwn: of.withCollection }
  const writtenOn = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const make = yield* pageMaker(lake, of, { games, writtenOn })
  const writer = siteWriter(site, scope, make)
  yield* tellWork(null, 0)
  // The pages of the games come first, because every product that they link to gets a page.
  const heads = yield* pagesOfGames(writer, make, scope)
  const found = yield* chooseProducts(lake, scope, { most: of.products, linked: linkedProducts(heads) })
  for (const [address, markup] of heads) yield* writer.putPage(address, markup)
  yield* putWaiting(writer, make)
  for (const [file, text] of siteAssets()) yield* writer.put(file, text)
  yield* writer.put("assets/products.js", `globalThis.cardlakeProducts = ${JSON.stringify(found)}\n`)
  const { bytes, files, pages } = writer.written
  yield* site.finish({ writtenOn, games: gameIds, pages })
  return {
    folder: site.folder,
    games: games.length,
    pages,
    products: scope.products.size,
    files,
    filesLeftOut: writer.filesLeftOut(),
    bytes
  }
}, Effect.scoped)
