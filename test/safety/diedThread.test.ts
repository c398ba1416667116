import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { catalogueFolder, card, gameId as quiet } from "../store/lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { live } from "../support/suite.ts"

const deadly = "deadly"
const mark = "Zzz, a name that ends its reader"

/** More bytes than the program's own thread takes apart, also when they are compressed. */
const attributes = { text: randomBytes(80_000).toString("base64") }

/** The last of several pages has the mark, and so many bytes that another thread reads it. */
const products = (gameId: string, last: string) =>
  Array.from({ length: 2500 }, (_, at) => ({ ...card(at + 1, at === 2499 ? { name: last, attributes } : {}), gameId }))

live("a page that crashes the thread that reads it costs its game the night, and no other game", function* () {
  const { settings } = yield* marketplaceAndHome({
    catalogue: yield* catalogueFolder({
      [deadly]: [{ products: products(deadly, mark) }],
      [quiet]: [{ products: products(quiet, "Zzz") }]
    })
  })
  const preload = `--import ${join(import.meta.dirname, "dieInThread.ts")}`
  const env = { ...settings, NODE_OPTIONS: preload, END_THREAD_AT: mark }
  const night = yield* Effect.promise(() => start(node, [main, "nightly", "--json"], { env }).ended)
  assert.strictEqual(night.code, 4, night.stderr)
  const { games } = JSON.parse(night.stdout) as { games: ReadonlyArray<Record<string, unknown>> }
  const of = (gameId: string) => games.find((game) => game["gameId"] === gameId)
  assert.deepStrictEqual([of(quiet)?.["verdict"], of(quiet)?.["products"]], ["published", 2500])
  assert.strictEqual(of(deadly)?.["verdict"], "failed")
  assert.match(
    String(of(deadly)?.["reason"]),
    /^The page POST \/v1\/products\/search\?limit=200&offset=2400.+crashed the thread that read it \(exit code 3\)\..+run it again/
  )
})
