import { folderNamed } from "../support/suite.ts"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import { tinyHome, type TinyHome } from "../safety/tinyNights.ts"
import { frozenDeployments, frozenGames, frozenSettings, seenDeployments } from "./frozenMarketplace.ts"

const folder = new URL("../fixtures/homes/", import.meta.url).pathname

/** Releases that have left a home, oldest first. */
export const frozenReleases = readdirSync(folder)
  .filter((name) => name.endsWith(".tar.gz"))
  .map((name) => name.replace(".tar.gz", ""))
  .toSorted()

type Answers = Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>

/** What the release itself answered, by question. */
export const frozenAnswers = (release: string): Answers =>
  JSON.parse(readFileSync(join(folder, `${release}.answers.json`), "utf8")) as Answers

/** Runs an effect as if on this day of 2026; the frozen home ends with June 10. */
export const onDay = (day: string) => showing(Date.parse(`2026-${day}T03:00:00Z`))

/** The home that a release left, in a folder of its own, and the marketplace as it was then. */
export const frozenHome = Effect.fnUntraced(function* (release: string, deployments = frozenDeployments) {
  const sandbox = yield* serveSandbox({ catalogue: yield* catalogueFolder(deployments) })
  for (const gameId of frozenGames) {
    for (let seen = 1; seen < seenDeployments[gameId]; seen++) yield* sandbox.deploy(gameId)
  }
  const root = yield* folderNamed("cardlake [frozen] {a,b} ")
  mkdirSync(join(root, "home"))
  execFileSync("tar", ["-xzf", join(folder, `${release}.tar.gz`), "-C", join(root, "home")])
  const home = yield* tinyHome(join(root, "home"), sandbox.url, sandbox.key, frozenSettings)
  const deploy = Effect.forEach(frozenGames, (gameId) => sandbox.deploy(gameId))
  return { home, deploy, sandbox }
})

/** Rows of a query, in the form of the frozen answers. */
export const answersOf = (home: TinyHome, sql: string) =>
  Effect.map(home.query(`select to_json(t)::varchar as row from (${sql}) t order by all`), (rows) =>
    rows.map(({ row }) => JSON.parse(String(row)) as Readonly<Record<string, unknown>>)
  )
