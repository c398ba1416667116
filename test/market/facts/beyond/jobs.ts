import { deepEqual, equal, notEqual, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, fetched, fileOf, readAt, refused, all, at, keysAt, textAt } from "../reading/ask.ts"
import { dateTime, eachOf, filled, just, maybeNull, nullOr, object, uri } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"
import { csv, imports, linesOf } from "./imports.ts"

const exporting = "POST /v1/inventory/bulk/export"
const updating = "POST /v1/inventory/bulk/update"

/** An import as it was started and as it ended, and a failed one, and an export. */
const made = once(async ({ seller, upload, ended, exported }) => {
  const me = await seller()
  const started = at(await answered(upload(me, csv("10007,Standard,NM,en,2,a", "1,Standard,NM,en,2,b")), 202), "job")
  const done = await ended(me, textAt(started, "id"))
  const failed = await ended(me, textAt(await answered(upload(me, "x\n1\n"), 202), "job.id"))
  return { me, started, done, failed, out: await exported(me) }
})
const job = fieldsOf("a job", async (world) => {
  const { done, failed, out, started } = await made(world)
  return [started, done, failed, out]
})

export const jobs = section("beyond", "11. Bulk jobs", [
  ...job(filled, "id", "Job"),
  ...job(eachOf("import", "export"), "kind", "Job"),
  ...job(eachOf("pending", "completed", "failed"), "status", "Job"),
  ...job(eachOf("csv", "json"), "format", "Job"),
  ...job(nullOr(just("upsert")), "mode", "Job"),
  ...job(nullOr(object), "counts", "Job"),
  ...job(maybeNull(just(100)), "progress", "Job"),
  ...job(nullOr(filled), "errorMessage", "Job"),
  ...job(nullOr(uri), "downloadUrl errorReportUrl", "Job"),
  ...job(nullOr(dateTime), "expiresAt", "Job"),
  ...job(dateTime, "createdAt", "Job"),
  fact("Lifecycle", "it starts as pending without counts, and ends completed although a row failed", async (world) => {
    const { done, started } = await made(world)
    deepEqual([at(started, "status"), at(started, "counts")], ["pending", null])
    deepEqual([at(done, "status"), at(done, "counts")], ["completed", { total: 2, succeeded: 1, failed: 1 }])
  }),
  fact("Lifecycle", "the report has row, code and message of each failed row", async (world) => {
    const { bytes } = await fetched(textAt((await made(world)).done, "errorReportUrl"))
    const report = JSON.parse(bytes.toString()) as ReadonlyArray<unknown>
    deepEqual(
      report.map((each) => [at(each, "row"), at(each, "code")]),
      [[2, "PRODUCT_NOT_FOUND"]]
    )
    ok(filled.is(at(report, "0.message")))
  }),
  fact("Lifecycle", "a job's links live 15 minutes, its files until expiresAt, for 7 days", async (world) => {
    const me = await world.seller()
    const out = await world.exported(me)
    const days = (Date.parse(textAt(out, "expiresAt")) - Date.parse(textAt(out, "createdAt"))) / 86_400_000
    ok(days > 6.99 && days < 7.01, `${days} days`)
    await world.wait(14 * 60)
    equal((await fetched(textAt(out, "downloadUrl"))).status, 200)
    await world.wait(2 * 60)
    notEqual((await fetch(textAt(out, "downloadUrl"))).status, 200)
  }),
  ...imports,
  fact(exporting, "csv and json have the same lines, those that the filters find", async (world) => {
    const { seller, stock, exported } = world
    const me = await seller()
    await stock(me, { ...card, customId: "one" }, { ...card, customId: "two", finish: "Foil" })
    deepEqual(all(await fileOf(await exported(me, { format: "json", filters: { finish: ["Foil"] } })), "*.customId"), [
      "two"
    ])
    const none = await exported(me, { format: "json", filters: { game: "tidewrack" } })
    deepEqual([await fileOf(none), at(none, "counts.total")], [[], 0])
    const { bytes } = await fetched(textAt(await exported(me, { format: "csv" }), "downloadUrl"))
    const [header = "", ...rows] = bytes.toString().trimEnd().split(/\r?\n/)
    ok(header.split(",").includes("customId"))
    deepEqual(rows.map((row) => /one|two/.exec(row)?.[0]).toSorted(), ["one", "two"])
  }),
  fact(exporting, "what was exported can be imported again", async (world) => {
    const { seller, stock, exported, imported } = world
    const [me, other] = [await seller(), await seller()]
    await stock(me, { ...card, customId: "one", quantity: 7 })
    const { bytes } = await fetched(textAt(await exported(me, { format: "csv" }), "downloadUrl"))
    await imported(other, bytes.toString())
    deepEqual(await linesOf(other), [["one", 7]])
  }),
  fact(updating, "each item by inventoryId or customId, with ok or error of each", async ({ seller, stock }) => {
    const me = await seller()
    const [one] = await stock(me, { ...card, customId: "one" }, { ...card, customId: "two" })
    const items = [
      { inventoryId: at(one, "id"), quantity: { set: 3 } },
      { customId: "two", quantity: { adjust: 4 } },
      { inventoryId: "none", quantity: { set: 3 } }
    ]
    const results = await readAt(me.ask(updating, { items }), "results")
    deepEqual(all(results, "*.status"), ["ok", "ok", "error"])
    deepEqual(await linesOf(me), [
      ["one", 3],
      ["two", 5]
    ])
  }),
  fact(updating, "a customId that is taken is 409 CONFLICT, and applies none", async ({ seller, stock }) => {
    const me = await seller()
    const [one, two] = await stock(me, { ...card, customId: "one" }, { ...card, customId: "two" })
    const items = [
      { inventoryId: at(one, "id"), quantity: { set: 3 } },
      { inventoryId: at(two, "id"), customId: "one" }
    ]
    await refused(me.ask(updating, { items }), 409, "CONFLICT")
    deepEqual(await linesOf(me), [
      ["one", 1],
      ["two", 1]
    ])
  }),
  ...[0, 201].map((count) =>
    fact(updating, `${count} items are refused`, async ({ shop }) => {
      const items = Array.from({ length: count }, (_, number) => ({ customId: `u-${number}`, comment: "x" }))
      await refused(shop.ask(updating, { items }), 400)
    })
  ),
  fact("GET /v1/inventory/bulk/jobs/{jobId}", "it answers {job}", async (world) => {
    const { done, me } = await made(world)
    const read = await answered(me.ask(`GET /v1/inventory/bulk/jobs/${textAt(done, "id")}`))
    deepEqual([keysAt(read, ""), keysAt(read, "job")], [["job"], keysAt(done, "")])
  }),
  untried("POST /v1/inventory/bulk/import", "at most 256 MB, 5,000,000 rows", "see `importLimits.full.test.ts`")
])
