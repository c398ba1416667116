import { deepEqual, equal, match, notEqual } from "node:assert/strict"
import { fact, section } from "../Fact.ts"
import { answered, askAs, readList, refused, at, keysAt, listAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"

const perDelivery = "Changed lines per inventory.quantity.changed delivery"
const integers = "Integer range of catalogue ids and quantities"
const validity = "Validity of error-report and download links"
const retention = "Retention of error reports and exported files"
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, "v"]))

export const limits = [
  section("spec", "Errors", [
    fact("401", "its body leaves out the reason", async ({ url, talk, keyless }) => {
      const [none, unknown] = [keyless, askAs(url, "cl_unknown", talk)]
      equal((await none("GET /v1/games")).text, (await unknown("GET /v1/games")).text)
    }),
    fact("403", "its data lists the scopes required and held", async ({ buyer, keyFor }) => {
      const data = await refused((await keyFor(buyer, "sales:read")).ask("GET /v1/inventory"), 403)
      deepEqual(data, { required: ["inventory:read"], granted: ["sales:read"] })
    }),
    fact("", "an operation of two scopes' rooms names the one that it needs", async ({ buyer, keyFor }) => {
      const data = await refused((await keyFor(buyer)).ask("GET /v1/listings"), 403)
      deepEqual(data, { required: ["listings:read"], granted: [] })
    }),
    fact("", "the changelog has seven variants of an answer, and 404 is none of them", async ({ ask, keyless }) => {
      const description = await answered(keyless("GET /openapi.json"))
      const paths = at(description, "paths") as Readonly<Record<string, unknown>>
      deepEqual(keysAt(paths["/v1/feeds/{gameId}/changelog"], "get.responses"), [
        "200",
        "400",
        "401",
        "403",
        "429",
        "500",
        "503"
      ])
      await refused(ask("GET /v1/feeds/none/changelog"), 400)
    })
  ]),
  section("spec", "Limits", [
    fact("Cursor page size", "50 unless asked, 100 at most, 1 at least", async ({ ask }) => {
      const path = "/v1/products/10025/listings"
      equal((await readList(ask(`GET ${path}`), "data")).length, 50)
      equal((await readList(ask(`GET ${path}?limit=100`), "data")).length, 100)
      equal((await readList(ask(`GET ${path}?limit=1`), "data")).length, 1)
      for (const limit of [0, 101]) await refused(ask(`GET ${path}?limit=${limit}`), 400)
    }),
    fact("Offset page size", "50 unless asked, 200 at most; offset is 0 unless asked", async ({ ask }) => {
      const search = (query: string) => ask(`POST /v1/products/search${query}`, {})
      const page = await answered(search(""))
      deepEqual([listAt(page, "data").length, at(page, "pagination.offset")], [50, 0])
      equal((await readList(search("?limit=200"), "data")).length, 200)
      await refused(search("?limit=201"), 400)
    }),
    fact(perDelivery, "500 lines are one event, 1,000 two", async ({ seller, stock, eventsOf }) => {
      for (const [count, sizes] of [
        [500, [500]],
        [1000, [500, 500]]
      ] as const) {
        const me = await seller()
        await stock(me, ...Array.from({ length: count }, (_, number) => ({ ...card, customId: `l-${number}` })))
        const events = await eventsOf(me, "inventory.quantity.changed")
        deepEqual(
          events.map((each) => listAt(each, "data.changes").length),
          sizes
        )
      }
    }),
    ...(
      [
        ["Metadata key length", { ["k".repeat(64)]: "v" }, { ["k".repeat(65)]: "v" }, 400],
        ["Metadata value length", { k: "v".repeat(500) }, { k: "v".repeat(501) }, 400],
        ["Metadata keys per sale", keys(50), { more: "v" }, 422]
      ] as const
    ).map(([row, taken, beyond, status]) =>
      fact(row, `${row}: the limit is taken, one more is refused`, async ({ ordered, shop }) => {
        const order = await ordered("pending_shipment")
        await answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: taken }))
        await refused(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: beyond }), status)
      })
    ),
    fact("customId length", "1 to 255 characters, also if they are two UTF-16 units each", async (world) => {
      const { seller, stock, shop } = world
      const customId = "🂡".repeat(255)
      equal(at((await stock(await seller(), { ...card, customId }))[0], "customId"), customId)
      await refused(shop.ask("POST /v1/inventory", { lines: [{ ...card, customId: "🂡".repeat(256) }] }), 400)
    }),
    fact(validity, "an event's link says an hour", async (world) => {
      const { seller, exported, eventsOf } = world
      const me = await seller()
      await exported(me)
      const [event] = await eventsOf(me, "inventory.export.completed")
      const validity = Date.parse(String(at(event, "data.expiresAt"))) - Date.parse(String(at(event, "timestamp")))
      equal(Math.round(validity / 60_000), 60)
    }),
    fact(retention, "a job's file is kept for 7 days", async (world) => {
      const { seller, exported, wait, ended } = world
      const me = await seller()
      const job = await exported(me)
      await wait(7 * 86_400 - 60)
      notEqual(at(await ended(me, String(at(job, "id"))), "downloadUrl"), null)
      await wait(120)
      equal(at(await ended(me, String(at(job, "id"))), "downloadUrl"), null)
    }),
    fact(integers, "9007199254740991 is kept to the digit, one more refused", async ({ withLine }) => {
      const { me, path } = await withLine()
      await answered(me.ask(`PATCH ${path}`, '{"quantity":{"set":9007199254740991}}'))
      match((await me.ask(`GET ${path}`)).text, /"quantity":9007199254740991[,}]/)
      await refused(me.ask(`PATCH ${path}`, '{"quantity":{"set":9007199254740992}}'), 400)
      await refused(me.ask(`PATCH ${path}`, '{"quantity":{"adjust":1}}'), 400)
    })
  ]),
  section("spec", "Versioning", [
    fact("", "all paths carry /v1, and are not there without it", async ({ ask }) => {
      await answered(ask("GET /v1/games"))
      for (const path of ["/games", "/v2/games"]) notEqual((await ask(`GET ${path}`)).status, 200)
    })
  ])
]
