import { Effect } from "effect"
import type { Sandbox } from "../../../src/market/Sandbox.ts"
import { testKey } from "../Served.ts"

/** The text of an answer to the test key; a body makes it a POST of JSON. */
export const textOf = ({ origin }: Sandbox, path: string, body?: unknown) =>
  Effect.promise(async () => {
    const answer = await fetch(origin + path, {
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    return await answer.text()
  })

/** A page of a game's products, asked for as a night does. */
const productPage = (sandbox: Sandbox, game: string, offset: number) =>
  textOf(sandbox, "/v1/products/search", { offset, limit: 200, gameFilters: { game } })

/** Every page of a game's products. */
export const productPages = Effect.fnUntraced(function* (sandbox: Sandbox, game: string) {
  const pages: Array<string> = []
  for (;;) {
    const page = yield* productPage(sandbox, game, pages.length * 200)
    pages.push(page)
    if (page.endsWith(`"hasMore":false}}`)) return pages
  }
})

const words = [
  ["sourceEur", "cardmarket"],
  ["sourceUsd", "tcgplayer"],
  ["marketplace", "cardnexus"],
  ["mtgId", "scryfallId"],
  ["mtgOracleId", "scryfallOracleId"],
  ["konamiStyleId", "konamiId"],
  ["lorcanaId", "dreambornId"],
  ["riftboundId", "riotId"]
] as const

/** A text with the live service's keys in the spec's words; no catalogue that is read here has such keys elsewhere. */
export const inSpecWords = (text: string): string =>
  words.reduce((renamed, [ours, theirs]) => renamed.replaceAll(`"${theirs}":`, `"${ours}":`), text)

/** Whether a text has a key of the spec that the live service calls otherwise. */
export const hasSpecWord = (text: string): boolean => words.some(([ours]) => text.includes(`"${ours}":`))
