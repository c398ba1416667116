import { Console, Effect } from "effect"
import { serveExplorer } from "../src/desk/explorer/serveExplorer.ts"
import { exportSite } from "../src/desk/explorer/site/exportSite.ts"
import { bytesText } from "../src/night/observe/figureTexts.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { isStartedByNpm } from "./print/hints.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import type * as specs from "./specs/reading.ts"

export const explore = Effect.fnUntraced(function* (input: typeof specs.explore.Input) {
  const { allowHost, folder, games, images, json, port, products, sets, withCollection } = input
  if (folder !== null) {
    if (port !== null || allowHost.length > 0 || images) {
      return yield* wrongUsage("--export starts no server: leave out --port, --allow-host and --images")
    }
    const of = { folder, games, sets, products: products ?? 200, withCollection }
    return yield* printAnswer(json, yield* showWork({ what: "Exporting", json })(exportSite(of)), exportedText)
  }
  if (games.length + sets.length > 0 || products !== null || withCollection) {
    return yield* wrongUsage("--game, --set, --products and --with-collection need --export")
  }
  const url = yield* serveExplorer({
    port: port ?? 4700,
    allowedHosts: allowHost,
    hasPictures: images,
    program: (yield* isStartedByNpm) ? "npx cardlake" : "cardlake"
  })
  yield* Console.log(json ? JSON.stringify({ url }) : `The lake's pages: ${url}\nStop with Ctrl-C.`)
  return yield* Effect.never
})

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
  const left = filesLeftOut === 0 ? "" : `, without ${formatAmount(filesLeftOut, "file")} of more than 2 MB`
  return `${folder}: ${formatAmount(pages, "page")} of ${formatAmount(games, "game")}, ${formatAmount(products, "product")} among them, and ${formatAmount(files, "file")} of lists${left}; ${bytesText(bytes)}`
}
