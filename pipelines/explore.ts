import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import {
  allowHost,
  textFlag,
  home,
  json,
  portFlag,
  wholeNumberFlag,
  withCollection,
  optionalText,
  switchFlag
} from "./flags/sharedFlags.ts"
import { isStartedByNpm } from "./print/hints.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { megabytes } from "../src/night/observe/figureTexts.ts"

const port = portFlag("port").pipe(
  Flag.withDescription("Port on 127.0.0.1; default: 4700; 0 picks a free one"),
  Flag.optional
)
const folder = optionalText(
  "export",
  "DIR",
  "Serve nothing: write the pages into this folder as a site that any web server can hold"
)
const images = switchFlag(
  "images",
  "Show the cards' pictures: this program fetches those that a page needs, and keeps them"
)
const games = textFlag("game", "GAME").pipe(
  Flag.withDescription("With --export: a game, as often as you like; default: every game"),
  Flag.atLeast(0)
)
const sets = textFlag("set", "SET").pipe(
  Flag.withDescription("With --export: a set by its code or id, as often as you like; default: every set"),
  Flag.atLeast(0)
)
const products = wholeNumberFlag("products", "N", { from: 0, to: 10_000_000 }).pipe(
  Flag.withDescription("With --export: how many products of each game have a page, dearest first; default: 200"),
  Flag.optional
)

/** Serves pages over the lake until it is told to stop. */
export const explore = Command.make(
  "explore",
  { port, allowHost, images, folder, games, sets, products, withCollection, home, json },
  Effect.fnUntraced(function* ({ allowHost, folder, games, images, json, port, products, sets, withCollection }) {
    if (Option.isSome(folder)) {
      if (Option.isSome(port) || allowHost.length > 0 || images) {
        return yield* wrongUsage("--export serves nothing: leave out --port, --allow-host and --images")
      }
      const { exportSite } = yield* Effect.promise(() => import("../src/desk/explorer/site/exportSite.ts"))
      const of = { folder: folder.value, games, sets, products: Option.getOrElse(products, () => 200), withCollection }
      return yield* printAnswer(json, yield* showWork({ what: "Exporting", json })(exportSite(of)), exportedText)
    }
    if (games.length + sets.length > 0 || Option.isSome(products) || withCollection) {
      return yield* wrongUsage(
        "--game, --set, --products and --with-collection choose what --export writes: give it, too"
      )
    }
    // Loaded here, so that no other command waits for the HTTP server.
    const { serveExplorer } = yield* Effect.promise(() => import("../src/desk/explorer/serveExplorer.ts"))
    const url = yield* serveExplorer({
      port: Option.getOrElse(port, () => 4700),
      allowedHosts: allowHost,
      hasPictures: images,
      program: (yield* isStartedByNpm) ? "npx cardlake" : "cardlake"
    })
    yield* Console.log(json ? JSON.stringify({ url }) : `The lake's pages: ${url}\nStop with Ctrl-C.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription("Look at the lake in a browser: read-only pages on this machine"),
  Command.withExamples([
    { command: "cardlake explore", description: "Serve the pages at http://127.0.0.1:4700" },
    {
      command: "cardlake explore --export /srv/www/cards --game emberfall",
      description: "The pages of a game as files for a web server"
    },
    { command: "cardlake explore --port 0 --json", description: "On a free port; prints {url} once it is listening" }
  ])
)

/** What a site has. */
const exportedText = (site: {
  readonly folder: string
  readonly games: number
  readonly pages: number
  readonly products: number
  readonly files: number
  readonly filesLeftOut: number
  readonly bytes: number
}): string => {
  const { bytes, files, filesLeftOut, folder, games, pages, products } = site
  const left = filesLeftOut === 0 ? "" : `, without ${amountOf(filesLeftOut, "file")} of more than 2 MB`
  return `${folder}: ${amountOf(pages, "page")} of ${amountOf(games, "game")}, ${amountOf(products, "product")} among them, and ${amountOf(files, "file")} of lists${left}; ${megabytes(bytes)} MB`
}
