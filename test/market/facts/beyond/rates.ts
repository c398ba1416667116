import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, section, untried } from "../Fact.ts"
import { type Answer, answered, fetched, readText, at } from "../reading/ask.ts"
import type { World } from "../world/World.ts"

const hourly: ReadonlyArray<readonly [bucket: string, limit: number, path: string]> = [
  ["product-sales", 60, "/v1/products/10007/sales"],
  ["pricing-history", 120, "/v1/products/10007/prices/history"],
  ["product-listings", 120, "/v1/products/10046/listings"],
  ["pricing-snapshot", 600, "/v1/products/10046/prices"]
]

/** Asks 50 a minute until a bucket is empty; answers how many were served, and the refusal. */
const drained = async ({ limited }: World, request: string, most: number) => {
  const { ask } = await limited.trade.party()
  let served = 0
  while (served <= most) {
    const answers: ReadonlyArray<Answer> = await Promise.all(Array.from({ length: 50 }, () => ask(request)))
    const refusal = answers.find(({ status }) => status === 429)
    served += answers.filter(({ status }) => status === 200).length
    if (refusal !== undefined) return { served, data: at(refusal.json, "data"), ask }
    await limited.trade.wait(60)
  }
  return { served, data: undefined, ask }
}

export const rates = section("beyond", "3. Rate limits", [
  fact("global", "60 a minute, of an account and not of a key (started with --rate 60)", async ({ limited }) => {
    const { keyFor, party } = limited.trade
    const me = await party()
    const second = await keyFor(me, "*")
    const left = async ({ ask }: { ask: typeof me.ask }) =>
      (await ask("GET /v1/account/me")).headers.get("x-ratelimit-remaining")
    deepEqual([await left(me), await left(second), await left(await party())], ["59", "58", "59"])
    const { headers } = await me.ask("GET /v1/account/me")
    equal(headers.get("x-ratelimit-limit"), "60")
  }),
  ...hourly.map(([bucket, limit, path]) =>
    fact(bucket, `${bucket}: ${limit} an hour (started with --rate 60)`, async (world) => {
      const { data, served } = await drained(world, `GET ${path}`, limit * 2)
      deepEqual([at(data, "bucket"), at(data, "limit")], [bucket, limit])
      // Meanwhile some came back, evenly.
      ok(served >= limit && served <= limit * 1.5, `${served} were served`)
    })
  ),
  fact("inventory-export", "1 in 10 minutes (started with --rate 60)", async ({ limited }) => {
    const { seller, wait } = limited.trade
    const { ask } = await seller()
    const start = () => ask("POST /v1/inventory/bulk/export", { format: "json" })
    await answered(start(), 202)
    const second = await start()
    deepEqual(
      [second.status, at(second.json, "data.bucket"), at(second.json, "data.limit")],
      [429, "inventory-export", 1]
    )
    await wait(600)
    await answered(start(), 202)
  }),
  untried("catalogue-search", "its own bucket", "no document has its number"),
  untried("inventory-search", "its own bucket", "no document has its number"),
  fact("", "feed files count against no bucket", async ({ limited }) => {
    const { ask } = await limited.trade.party()
    const link = await readText(ask("GET /v1/feeds/emberfall/expansions"), "url")
    for (let times = 0; times < 70; times++) equal((await fetched(link)).status, 200)
    ok(Number((await ask("GET /v1/games/tidewrack")).headers.get("x-ratelimit-remaining")) >= 58)
  })
])
