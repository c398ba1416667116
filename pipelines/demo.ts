import { join, relative, resolve } from "node:path"
import { isThere } from "../src/store/home/disk.ts"
import { type Disk, diskHere, onDisk, withDisk } from "../src/feed/disk/Disk.ts"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { storyDays } from "../src/market/catalogue/storyGame.ts"
import { serveSandbox } from "../src/market/serveSandbox.ts"
import type { GameReport } from "../src/night/observe/RunReport.ts"
import { screenWidth } from "../src/night/observe/shortTexts.ts"
import { fitColumns, leftOut } from "../src/night/observe/textTable.ts"
import { runFx } from "../src/night/run/runFx.ts"
import { runNight } from "../src/night/run/runNight.ts"
import { runRelease } from "../src/night/run/publishAs.ts"
import { showing } from "../src/night/run/showing.ts"
import { grouped } from "../src/store/diff/formatAmount.ts"
import { namedHome } from "../src/store/home/Home.ts"
import { demoReadme, isDemoHome } from "../src/store/home/HomeMarker.ts"
import { partOfWork, WorkProgress } from "../src/store/home/WorkProgress.ts"
import { claimHome } from "../src/store/home/claimHome.ts"
import { homeFiles, homeFolders } from "../src/store/home/homePaths.ts"
import { Lake } from "../src/store/lake/duckdb/Lake.ts"
import { queryTable } from "./lake/runQuery.ts"
import { printText } from "./print/printAnswer.ts"
import { nightShare } from "./print/showProgress.ts"
import { showWork } from "./print/standardError.ts"
import { allServices } from "./settings/marketServices.ts"
import { withServices } from "./settings/services.ts"
import type * as specs from "./specs/setup.ts"

/** The folder contains files that no demo wrote, or it cannot be read or emptied. */
export class HomeTaken extends Schema.TaggedError<HomeTaken>()("HomeTaken", {
  home: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `${this.home} ${this.what}. Choose an empty folder: cardlake demo --home FOLDER`
  }
}

/** A folder that visitors may add to a demo. It is never removed. */
const visitors = "own"

const namesHere = (folder: string): ReadonlyArray<string> => (isThere(folder) ? diskHere().namesNow(folder) : [])

/** True if the folder contains only a demo: its words, a home's files, and no game but the invented ones. */
const isDemo = (home: string, names: ReadonlyArray<string>, invented: ReadonlySet<string>): boolean => {
  const known = new Set([demoReadme.name, visitors, ...homeFiles, ...homeFolders])
  const games = ["raw", "snapshots"].flatMap((name) => namesHere(join(home, name)))
  return (
    isDemoHome(home) &&
    names.every((name) => known.has(name)) &&
    games.every((game) => invented.has(game.replace(/^game=/, "")))
  )
}

/** Empties the folder of an earlier demo. Fails if any other folder is not empty. */
export const clearDemo = (home: string, invented: ReadonlySet<string>): Effect.Effect<void, HomeTaken> =>
  Effect.gen(function* () {
    const step = <A>(what: string, run: (disk: Disk) => Promise<A>) =>
      onDisk(
        run,
        (cause) => new HomeTaken({ home, what: `${what} (${cause instanceof Error ? cause.message : "unknown"})` })
      )
    const names = yield* step("cannot be read", async () => namesHere(home))
    if (names.length === 0) return
    // This fails if a demo's file or folder is replaced by something unreadable.
    const isOurs = yield* Effect.orElseSucceed(
      step("is odd", async () => isDemo(home, names, invented)),
      () => false
    )
    if (!isOurs) return yield* new HomeTaken({ home, what: "is neither empty nor a demo" })
    yield* step("cannot be emptied", (disk) =>
      Promise.all(names.filter((one) => one !== visitors).map((name) => disk.remove(join(home, name))))
    )
  })

const sample = fileURLToPath(new URL("../data/sample", import.meta.url))
const at = (on: string, time: string) => showing(Date.parse(`${on}T${time}:00Z`))
const why = "Checked: the source was offline"

const questions = [
  {
    asks: "Which records of clockwork-orchard does the contract refuse?",
    sql: "select list, record_id, path, reason from refusals where game_id = 'clockwork-orchard'"
  },
  {
    asks: "Which prices moved most in a week or longer?",
    sql: `select name, finish, source, currency, old, new, percent
from movers(days := 7, min_price := 5) order by abs(percent) desc, product_id, finish, source limit 4`
  }
]

export const demo = Effect.fnUntraced(function* (input: typeof specs.demo.Input) {
  const home = resolve(yield* namedHome(input.home ?? "data/demo"))
  const near = relative(process.cwd(), home)
  const shown = shellWord(near.startsWith("..") ? home : near)
  const marketplace = yield* serveSandbox({ catalogue: { story: sample }, odd: true })
  const games = (yield* marketplace.games).map((game) => game.gameId)
  yield* clearDemo(home, new Set(games))
  const settings = {
    CARDLAKE_VIA: "pages",
    CARDLAKE_URL: marketplace.url,
    CARDLAKE_API_KEY: marketplace.key,
    CARDLAKE_HOME: home
  }
  const night = (deployed: ReadonlyArray<string>, index: number) => {
    const wanted = deployed.length > 0 ? deployed : ["emberfall"]
    const played = Effect.flatMap(WorkProgress, ({ tell }) =>
      runNight(wanted, (event) =>
        tell({ gameId: event.gameId, share: (wanted.indexOf(event.gameId) + nightShare(event)) / wanted.length })
      )
    )
    const part = partOfWork(index / storyDays.length, (index + 1) / storyDays.length)
    const what = `Night ${index + 1} of ${storyDays.length}`
    return Effect.map(showWork({ what, json: false })(played.pipe(part)), ({ games }) => games)
  }
  const play = Effect.gen(function* () {
    yield* claimHome
    yield* withDisk((disk) => disk.write(join(home, demoReadme.name), demoReadme.text))
    // The tables are so small that DuckDB is faster with one thread than with two.
    yield* Effect.scoped(Effect.flatMap((yield* Lake).session, ({ run }) => run("Set threads", "set threads = 1")))
    yield* printText(`Demo data: three invented games, read on ten days of August 2026:\n`)
    yield* printText(nightHeads())
    for (const [index, { deploys, on }] of storyDays.entries()) {
      const deployed = Object.keys(deploys)
      // The first deployments exist from the start.
      if (on !== storyDays[0]?.on) yield* Effect.forEach(deployed, marketplace.deploy)
      const reports = yield* at(on, "05:30")(night(deployed, index))
      yield* printText(nightLines(on, reports))
      for (const { gameId, reasons } of reports.filter(({ verdict }) => verdict === "held")) {
        yield* at(on, "09:00")(runRelease({ gameId, wanted: null, why }))
        yield* printText(
          `            held: ${reasons?.join("; ")}\n            released: cardlake release --home ${shown} ${gameId} --why "${why}"`
        )
      }
    }
    for (const line of nightsLeftOut()) yield* printText(line)
    const { currencies, from, rates, to } = yield* at("2026-08-24", "10:00")(runFx(join(sample, "eurofxref.csv")))
    yield* printText(`\nExchange rates: ${rates} in ${currencies} currencies, ${from} to ${to} (cardlake fx)`)
    for (const { asks, sql } of questions) {
      yield* printText(`\n${asks}\n${yield* queryTable(sql, { allowFiles: true })}`)
    }
  })
  yield* withServices(allServices(settings))(play)
  yield* printText(`\nQuery it:    cardlake query --home ${shown} "show tables"`)
  yield* printText(`Browse it:   cardlake explore --home ${shown}`)
})

/** Columns sized for the invented games. Each night is printed before the results of the next are known. */
const columns = [
  ["night", 10],
  ["game", 17],
  ["verdict", 9],
  ["products", 8],
  ["refused", 7],
  ["added", 5],
  ["modified", 8],
  ["removed", 7],
  ["repriced", 8]
] as const

/** Returns as many columns as fit into the terminal. */
const shown = () => {
  const room = screenWidth()
  if (room === null) return columns
  const fixed = columns.map(([, width]) => ({ whole: width, least: width }))
  const leaveOut = [4, 7, 5, 8].map((index) => ({ index, forGood: true }))
  const widths = fitColumns(fixed, room, leaveOut)
  return columns.filter((_, index) => widths[index] !== null)
}

type Column = (typeof columns)[number][0]

const line = (cell: (name: Column, width: number) => string): string =>
  shown()
    .map(([name, width], column) => (column < 3 ? cell(name, width).padEnd(width) : cell(name, width).padStart(width)))
    .join("  ")
    .trimEnd()

export const nightHeads = (): string => [line((name) => name), line((_, width) => "─".repeat(width))].join("\n")

/** Returns the names of columns that do not fit. */
export const nightsLeftOut = (): ReadonlyArray<string> => {
  const names = new Set(shown().map(([name]) => name))
  const missing = columns.map(([name]) => name).filter((name) => !names.has(name))
  return leftOut(missing, screenWidth())
}

export const nightLines = (on: string, games: ReadonlyArray<GameReport>): string =>
  games
    .map(({ changes, gameId, products, refused, verdict }, index) => {
      const cells = {
        night: index === 0 ? on : "",
        game: gameId,
        verdict,
        products: grouped(products),
        refused: grouped(refused),
        added: grouped(changes?.products.added ?? null),
        modified: grouped(changes?.products.modifiedCatalogue ?? null),
        removed: grouped(changes?.products.removed ?? null),
        repriced: grouped(changes?.products.modifiedPrice ?? null)
      }
      return line((name) => cells[name])
    })
    .join("\n")
