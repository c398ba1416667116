import { once } from "../Fact.ts"
import { ok } from "node:assert/strict"
import { answered, fetched, at, textAt } from "../reading/ask.ts"
import type { World } from "../world/World.ts"

export const kinds = ["catalog", "expansions", "prices"] as const

/** What a feed says of itself, its file and its lines. */
interface Feed {
  readonly told: unknown
  readonly raw: Buffer
  readonly bytes: Buffer
  readonly lines: ReadonlyArray<unknown>
}

/** The three feeds of a game. */
export const feeds = once(async ({ ask }) => {
  const told = await answered(ask("GET /v1/feeds/tidewrack"))
  const files = new Map<string, Feed>()
  for (const kind of kinds) {
    const { bytes, raw } = await fetched(textAt(told, `${kind}.url`))
    const lines = bytes
      .toString()
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    files.set(kind, { told: at(told, kind), raw, bytes, lines })
  }
  return files
})

/** One of the three. */
export const feed = async (world: World, kind: (typeof kinds)[number]): Promise<Feed> => {
  const found = (await feeds(world)).get(kind)
  ok(found !== undefined)
  return found
}
