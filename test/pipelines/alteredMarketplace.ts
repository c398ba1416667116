import { Effect, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Manifest } from "../../src/store/home/Manifest.ts"
import { filledOnce } from "../filledOnce.ts"
import { cardlake, settings, startSandbox } from "./cli.ts"
import { startProxy } from "./proxy.ts"

/** A service that says the same as the sandbox behind it, otherwise: what it does so is known to nobody else. */
export interface Alterations {
  /** Keys of answers, and what they are called. */
  readonly renamed: Readonly<Record<string, string>>
  /** A figure of price blocks, and where it is in them. */
  readonly moved: { readonly figure: string; readonly to: readonly [string, string] }
  /** Larger pages are refused. */
  largestPage: number
}

const refusal = (largest: number): string =>
  JSON.stringify({ code: "BAD_REQUEST", status: 400, message: `limit: at most ${largest}`, data: { field: "limit" } })

/** The digits of figures stay as they are: the text is changed, not what it is parsed to. */
const inItsWords = (text: string, { moved, renamed }: Alterations): string => {
  const { figure, to } = moved
  const words = Object.keys(renamed).join("|")
  return text
    .replaceAll(new RegExp(`"(${words})":`, "g"), (_, word: string) => `"${renamed[word]}":`)
    .replaceAll(new RegExp(`"${figure}":(null|[-\\d.eE+]+)`, "g"), `"${to[0]}":{"${to[1]}":$1}`)
}

/** Serves a marketplace as somebody else would have built it, without feed files. */
export const startAltered = (marketplace: string, altered: Alterations) =>
  startProxy(marketplace, ({ answer }) => inItsWords(answer, altered), {
    refusal: (path) => {
      const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 0)
      return limit > altered.largestPage && !path.includes("/changelog") ? refusal(altered.largestPage) : null
    },
    method: (path) => (/^\/v1\/feeds\/[^/]+$/.test(path) ? "DELETE" : null)
  })

/** The newest snapshot of a home's game. */
export const manifestOf = (home: string, gameId: string) => {
  const game = join(home, "snapshots", `game=${gameId}`)
  const [newest = ""] = readdirSync(game).toSorted().toReversed()
  return Schema.decodeUnknownSync(Schema.fromJsonString(Manifest))(
    readFileSync(join(game, newest, "manifest.json"), "utf8")
  )
}

/** Sums of the tables of a home's newest snapshot, but for those that repeat the words of pages. */
export const tableSums = (home: string, gameId: string) =>
  Object.entries(manifestOf(home, gameId).tables)
    .filter(([name]) => name !== "refusals" && name !== "drift")
    .map(([name, { rows, sha256 }]) => `${name} ${rows} ${sha256}`)

/** The service behind an altered one. */
export const plainService = { odd: false, livePrices: "frozen" } as const

/** The sums of a night of that service, which is made once for all processes of a run. */
export const plainSums = async (gameId: string) => {
  const makeNight = async (home: string) => {
    const sandbox = await startSandbox(plainService)
    const ended = await cardlake(["nightly", gameId], { env: settings(sandbox.url, home) })
    await sandbox.stop()
    if (ended.code !== 0) throw new Error(ended.stderr)
  }
  const home = await Effect.runPromise(filledOnce(`plain-${gameId}`, (home) => Effect.promise(() => makeNight(home))))
  return tableSums(home, gameId)
}
