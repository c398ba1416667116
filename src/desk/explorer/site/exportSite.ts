import { Clock, DateTime, Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { tellWork } from "../../../store/home/WorkProgress.ts"
import { readOwn } from "../../own/Own.ts"
import { NoCollection } from "../../own/changeOwn.ts"
import { GameNotInLake } from "../../../store/lake/GameNotInLake.ts"
import { siteAssets } from "../assets.ts"
import { makeDiffReader } from "../DiffReader.ts"
import { makeLakeReader } from "../LakeReader.ts"
import { askedAt, knownGames, makePage } from "../makePage.ts"
import { gameAddress } from "../PageRequest.ts"
import { withoutHome } from "../withoutPaths.ts"
import { openSiteFolder } from "./siteFolder.ts"
import {
  addressText,
  fileOf,
  type SiteAddress,
  siteAddress,
  isInSite,
  partsOf,
  type SiteScope,
  listPages
} from "./siteAddress.ts"
import { linksIn, siteMarkup } from "./siteLinks.ts"
import { productsInOrder, searchable, setsNamed } from "./siteProducts.ts"
import { html, type Html } from "../../pages/html.ts"
import { counted } from "../dataTable.ts"

/** What every page of a site says below: of when it is, and where it says what it has not. */
const copyNote = (writtenOn: string): Html =>
  html`<p>A copy of ${writtenOn}. <a href="/#copy">What it leaves out</a></p>`

/** What the first page of a site says of it: what it has, and what of the explorer it has not, and why. */
const copyContents = (writtenOn: string, products: number): Html =>
  html`<h2 id="copy">About this copy</h2>
    <p class="says">
      Made on ${writtenOn} by <code>cardlake explore --export</code>. The ${counted(products)} dearest products of every
      game have a page here, and so have those that this page, movers and differences name; the search finds them by
      words of their names, set and number. Left out, because nobody answers questions here: the SQL console, filters,
      sorting, other days of charts, lists beyond ${listPages} pages, files of more than 2 MB, and what waits for the
      owner of the lake.
    </p>`

/** Which part of a home becomes a site, and where. */
export interface SiteOf {
  readonly folder: string
  /** Empty = every game of the lake. */
  readonly games: ReadonlyArray<string>
  /** By code or id; empty = every one. */
  readonly sets: ReadonlyArray<string>
  /** Products of each game that have a page, dearest first; what the first pages link to has one, too. */
  readonly products: number
  /** Whether it has the page of the reader's own cards. */
  readonly withCollection: boolean
}

/** Files beyond this size stay behind. */
export const largestFile = 2_000_000
/** Pages that are made at the same time. */
const atOnce = 4
const sections = ["expansions", "movers", "spreads", "diff", "refusals", "audit"]

/** Writes the pages of the explorer as a site of files with relative links, which any web server can hold. */
export const exportSite = Effect.fn("exportSite")(function* (of: SiteOf) {
  const home = yield* Home
  const lakes = yield* makeLakeReader
  const differences = yield* makeDiffReader
  // One lake for all pages, whatever a night publishes meanwhile.
  const lake = yield* lakes.view
  const all = yield* knownGames(lake)
  const unknown = of.games.filter((wanted) => all.every(({ gameId }) => gameId !== wanted))
  if (unknown.length > 0) return yield* new GameNotInLake({ wanted: unknown, games: all.map(({ gameId }) => gameId) })
  const games = of.games.length === 0 ? all : all.filter(({ gameId }) => of.games.includes(gameId))
  const sets = yield* setsNamed(lake, games, of.sets)
  if (of.withCollection && (yield* readOwn).collections.length === 0)
    return yield* new NoCollection({ what: "There is nothing for --with-collection", names: [] })
  const site = yield* openSiteFolder(of.folder, home.root)
  const scope: SiteScope = {
    games: new Set(games.map(({ gameId }) => gameId)),
    sets,
    products: new Set(),
    hasOwn: of.withCollection
  }
  const writtenOn = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const copy = copyNote(writtenOn)

  const made = Effect.fnUntraced(function* (address: SiteAddress) {
    const url = new URL(addressText(address), "http://127.0.0.1")
    const view = { ...lake, rows: yield* lake.beside }
    const below = address.path === "/" ? copyContents(writtenOn, of.products) : copy
    const none = { form: null, isLedHere: false, hasPictures: false, program: "cardlake" }
    const rest = { lake: view, differences, copy: below, hasOwn: of.withCollection, games, ...none }
    const { text } = yield* makePage(yield* askedAt(url, rest))
    return withoutHome(text, home.root)
  }, Effect.scoped)

  let [bytes, pages, files] = [0, 0, 0]
  const put = (file: string, text: string) => Effect.map(site.write(file, text), (size) => void (bytes += size))
  const small = new Map<string, boolean>()
  const putFile = Effect.fnUntraced(function* (address: SiteAddress) {
    const file = fileOf(address)
    if (small.has(file)) return
    small.set(file, false)
    const text = yield* made(address)
    if (text.length > largestFile) return
    small.set(file, true)
    files++
    yield* put(file, text)
  })

  const seen = new Set<string>()
  const waiting: Array<SiteAddress> = []
  const find = (addresses: ReadonlyArray<SiteAddress>) => {
    for (const address of addresses) {
      const file = fileOf(address)
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
      isInSite(scope, link) && (link.format === null || small.get(fileOf(link)) === true)
    pages++
    yield* put(fileOf(address), siteMarkup(markup, fileOf(address), has))
  })

  // The pages of whole games come first: what they link to has a page.
  yield* tellWork(null, 0)
  const ofGames = games.flatMap(({ gameId }) => sections.map((section) => gameAddress(gameId, section)))
  find(["/", ...(of.withCollection ? ["/own"] : []), ...ofGames].map(siteAddress))
  const heads: Array<readonly [SiteAddress, string]> = []
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const markup = yield* made(address)
    heads.push([address, markup])
    find(linksIn(markup).filter((link) => partsOf(link).id === null && link.params.every(([name]) => name !== "page")))
  }
  const linked = new Set(
    heads
      .filter(
        ([{ params, path }]) =>
          path === "/" || path === "/own" || path.endsWith("/movers") || (path.endsWith("/diff") && params.length < 2)
      )
      .flatMap(([, markup]) => linksIn(markup))
      .map(partsOf)
      .flatMap(({ gameId, id, section }) => (section === "products" ? [`${gameId} ${id}`] : []))
  )
  const found: Array<unknown> = []
  for (const { gameId } of games) {
    const rows = yield* productsInOrder(lake, gameId, sets)
    for (const [place, row] of rows.entries()) {
      const key = `${gameId} ${String(row["product_id"])}`
      if (place >= of.products && !linked.has(key)) continue
      scope.products.add(key)
      found.push(searchable(gameId, row))
    }
  }
  for (const [address, markup] of heads) yield* putPage(address, markup)
  let done = heads.length
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 100)
    yield* Effect.forEach(
      batch,
      Effect.fnUntraced(function* (address) {
        yield* putPage(address, yield* made(address))
        done++
        yield* tellWork(partsOf(address).gameId, done / (seen.size + 1))
      }),
      { concurrency: atOnce, discard: true }
    )
  }
  for (const [file, text] of siteAssets()) yield* put(file, text)
  yield* put("assets/products.js", `globalThis.cardlakeProducts = ${JSON.stringify(found)}\n`)
  yield* site.finish({ writtenOn, games: games.map(({ gameId }) => gameId), pages })
  const left = [...small.values()].filter((isSmall) => !isSmall).length
  return {
    folder: site.folder,
    games: games.length,
    pages,
    products: scope.products.size,
    files,
    filesLeftOut: left,
    bytes
  }
}, Effect.scoped)
