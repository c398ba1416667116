import { deepEqual, equal, notEqual, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried, type Fact } from "../Fact.ts"
import { answered, fetched, fileOf, readAt, refused, all, at, keysAt, textAt, readAll } from "../reading/ask.ts"
import { dateTime, eachOf, filled, just, maybeNull, nullOr, object, uri } from "../reading/kinds.ts"
import { card, type Party, slab } from "../world/trade.ts"
import { gzipSync } from "node:zlib"

const exporting = "POST /v1/inventory/bulk/export"
const updating = "POST /v1/inventory/bulk/update"

/** An import as it was started and as it ended, and a failed one, and an export. */
const made = once(async ({ seller, upload, ended, failed, exported }) => {
  const me = await seller()
  const started = at(await answered(upload(me, csv("10007,Standard,NM,en,2,a", "1,Standard,NM,en,2,b")), 202), "job")
  const done = await ended(me, textAt(started, "id"))
  return { me, started, done, broken: await failed(me), out: await exported(me) }
})
const job = fieldsOf("a job", async (world) => {
  const { broken, done, out, started } = await made(world)
  return [started, done, broken, out]
})

const operation = "POST /v1/inventory/bulk/import"

const head = "productId,finish,condition,language,quantity,customId"
const csv = (...rows: ReadonlyArray<string>) => `${[head, ...rows].join("\n")}\n`
const linesOf = async ({ ask }: Party) =>
  (await readAll(ask("GET /v1/inventory"), "data.*")).map((each) => [at(each, "customId"), at(each, "quantity")])

const columns: ReadonlyArray<readonly [column: string, value: string, path: string, expected: unknown]> = [
  ["comment", "fresh", "comment", "fresh"],
  ["notes", "mine", "notes", "mine"],
  ["location", "Box 9", "location", "Box 9"],
  ["tags", "fair", "tags.0", "fair"],
  ["listingPrice,listingCurrency", "3.75,EUR", "listing.price", { amount: 3.75, currency: "EUR" }]
]

/** What an import takes, and what it does with each row. */
const imports: ReadonlyArray<Fact> = [
  ...["csv", "json"].flatMap((format) =>
    [false, true].map((isPacked) =>
      fact(operation, `a file can be ${format}${isPacked ? " as gzip, with its format" : ""}`, async (world) => {
        const { seller, upload, ended } = world
        const me = await seller()
        const rows = [
          { productId: 10_007, finish: "Standard", condition: "NM", language: "en", quantity: 4, customId: "z" }
        ]
        const text = format === "csv" ? csv("10007,Standard,NM,en,4,z") : JSON.stringify(rows)
        const file = isPacked ? new Uint8Array(gzipSync(text)) : text
        const started = upload(me, file, `stock.${format}${isPacked ? ".gz" : ""}`, isPacked ? { format } : {})
        await ended(me, textAt(await answered(started, 202), "job.id"))
        deepEqual(await linesOf(me), [["z", 4]])
      })
    )
  ),
  fact(operation, "a row with a known customId sets the line, one without adds to it", async ({ seller, imported }) => {
    const me = await seller()
    const file = csv("10007,Standard,NM,en,2,known", "10010,Standard,NM,en,3,")
    await imported(me, file)
    await imported(me, file)
    deepEqual(await linesOf(me), [
      ["known", 2],
      [null, 6]
    ])
  }),
  fact(operation, "mode replace sets lines that the file does not mention to zero", async ({ seller, imported }) => {
    const me = await seller()
    await imported(me, csv("10007,Standard,NM,en,2,gone", "10010,Standard,NM,en,3,kept"))
    const job = await imported(me, csv("10010,Standard,NM,en,5,kept"), { mode: "replace" })
    equal(at(job, "mode"), "replace")
    deepEqual(await linesOf(me), [
      ["gone", 0],
      ["kept", 5]
    ])
  }),
  ...[{ mode: "append" }, { format: "xml" }].map((fields) =>
    fact(operation, `${JSON.stringify(fields)} is refused`, async ({ seller, upload }) => {
      const { status } = await upload(await seller(), csv(), "stock.csv", fields)
      equal(status, 400)
    })
  ),
  ...columns.map(([column, value, path, expected]) =>
    fact("Row columns", `${column} is a column`, async ({ seller, imported }) => {
      const me = await seller()
      await answered(me.ask("POST /v1/inventory/tags", { name: "fair" }))
      await answered(me.ask("POST /v1/inventory/locations", { name: "Box 9" }))
      await imported(me, `${head},${column}\n10007,Standard,NM,en,1,x,${value}\n`)
      deepEqual(await readAt(me.ask("GET /v1/inventory"), `data.0.${path}`), expected)
    })
  ),
  fact("Row columns", "grade, certification and service are columns: an export is imported again", async (world) => {
    const [me, other] = [await world.seller(), await world.seller()]
    const graded = { gradingService: "PSA", grade: "9", certification: "77" }
    await world.stock(me, { ...slab, graded })
    const { bytes } = await fetched(textAt(await world.exported(me, { format: "csv" }), "downloadUrl"))
    await world.imported(other, bytes.toString())
    deepEqual(await readAt(other.ask("GET /v1/inventory"), "data.0.graded"), graded)
  }),
  ...["sourceEur", "sourceUsd"].map((source) =>
    fact("Row columns", `${source} stands for the product and its finish`, async ({ seller, imported, products }) => {
      const me = await seller()
      const known = at(
        products.find((each) => at(each, "id") === 10_007),
        `externalIds.${source}.1`
      )
      await imported(me, `${source},condition,language,quantity\n${String(at(known, "id"))},NM,en,2\n`)
      const line = await readAt(me.ask("GET /v1/inventory"), "data.0")
      deepEqual([at(line, "productId"), at(line, "finish")], [10_007, "Foil"])
    })
  ),
  fact("POST /v1/inventory/bulk/import/{preset}", "a preset that is none is not found", async ({ seller, upload }) => {
    const { status } = await upload(await seller(), csv(), "stock.csv", {}, "/none")
    ok(status === 404 || status === 400)
  })
]

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
