import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { SnapshotId } from "../../../src/feed/contract/Ids.ts"

/** An invented game: the smallest records that the contract accepts. Each test varies them. */
export const gameId = "hollowmere"
const game = { id: gameId, name: "Hollowmere" }
export const gameRecord = { ...game, releaseDate: "2021-09-03T00:00:00.000Z" }

export type Json = Readonly<Record<string, unknown>>

/** A card without price, expansion or external id. */
export const card = (id: number, more: Json = {}): Json => ({
  id,
  gameId,
  game,
  name: `Wicker Hound ${id}`,
  nameSlug: `wicker-hound-${id}`,
  languages: ["en"],
  productType: "card",
  finishes: ["Standard"],
  pricesByFinish: {},
  attributes: {},
  ...more
})

/** A sealed product without price. */
export const sealed = (id: number, more: Json = {}): Json => ({
  id,
  gameId,
  game,
  name: `Marsh Booster Box ${id}`,
  nameSlug: `marsh-booster-box-${id}`,
  languages: ["en"],
  productType: "sealed",
  productCategory: "booster_box",
  prices: {},
  ...more
})

export const expansion = (id: number, more: Json = {}): Json => ({
  id,
  gameId,
  slug: `marsh-${id}`,
  name: `Marsh ${id}`,
  code: `M${id}`,
  ...more
})

/** A card whose only price is `low` of sourceEur under Standard, its figure as raw text. */
export const cardText = (id: number | string, low: string): string =>
  JSON.stringify(card(0, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: "LOW" } } } }))
    .replace('"id":0', `"id":${id}`)
    .replace('"LOW"', low)

/** Records of one deployment: objects, or the raw text that goes over the wire. */
export interface Deployed {
  readonly products: ReadonlyArray<object | string>
  readonly expansions?: ReadonlyArray<object | string>
}

/** A game whose cards every deployment reprices: card `n` costs `n` more than the day; on the day `without`, none has a price. */
export const repricedGame = (gameId: string, { cards = 3, days = 4, without = 0 } = {}): ReadonlyArray<Deployed> =>
  Array.from({ length: days }, (_, at) => at + 1).map((day) => ({
    expansions: [expansion(1, { gameId })],
    products: Array.from({ length: cards }, (_, index) => {
      const sourceEur = { currency: "EUR", low: day + index, marketValue: day + index }
      const pricesByFinish = day === without ? {} : { Standard: { sourceEur } }
      return card(index + 1, { gameId, game: { id: gameId, name: gameId }, pricesByFinish })
    })
  }))

const lines = (records: ReadonlyArray<object | string>): Buffer =>
  gzipSync(records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join(""), {
    level: 1
  })

const dayOf = (index: number, first: string): string =>
  new Date(Date.parse(first) + index * 24 * 3600 * 1000).toISOString().slice(0, 10)

/** A catalogue folder for the sandbox, removed with the scope; a game's deployments oldest first, one a day. */
export const catalogueFolder = (games: Readonly<Record<string, ReadonlyArray<Deployed>>>, first = "2026-05-01") =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "cardlake-catalogue-"))
      const ids = Object.keys(games)
      writeFileSync(join(folder, "games.json"), JSON.stringify(ids.map((id) => ({ id, name: `Game ${id}` }))))
      for (const [gameId, deployments] of Object.entries(games)) {
        for (const [index, { expansions = [], products }] of deployments.entries()) {
          const day = join(folder, gameId, dayOf(index, first))
          mkdirSync(day, { recursive: true })
          writeFileSync(join(day, "products.ndjson.gz"), lines(products))
          writeFileSync(join(day, "expansions.ndjson.gz"), lines(expansions))
        }
        const listed = deployments.map((_, index) => ({
          date: dayOf(index, first),
          deployedAt: `${dayOf(index, first)}T04:00:00.000Z`
        }))
        writeFileSync(join(folder, gameId, "deployments.json"), JSON.stringify({ deployments: listed }))
      }
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** An id of a run or a snapshot that a test makes up. */
export const idOf = (text: string): SnapshotId => SnapshotId.make(text)

/** Forty cards, some of them priced. */
export const priced = (name: string, count: number) => ({
  products: Array.from({ length: 40 }, (_, index) =>
    card(index + 1, {
      ...(index === 0 ? { name } : {}),
      pricesByFinish: index < count ? { Standard: { sourceEur: { currency: "EUR", marketValue: 2 } } } : {}
    })
  )
})
