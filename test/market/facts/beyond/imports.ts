import { deepEqual, equal, ok } from "node:assert/strict"
import { gzipSync } from "node:zlib"
import { type Fact, fact } from "../Fact.ts"
import { answered, fetched, readAll, readAt, at, textAt } from "../reading/ask.ts"
import { type Party, slab } from "../world/trade.ts"

const operation = "POST /v1/inventory/bulk/import"

const head = "productId,finish,condition,language,quantity,customId"
export const csv = (...rows: ReadonlyArray<string>) => `${[head, ...rows].join("\n")}\n`
export const linesOf = async ({ ask }: Party) =>
  (await readAll(ask("GET /v1/inventory"), "data.*")).map((each) => [at(each, "customId"), at(each, "quantity")])

const columns: ReadonlyArray<readonly [column: string, value: string, path: string, expected: unknown]> = [
  ["comment", "fresh", "comment", "fresh"],
  ["notes", "mine", "notes", "mine"],
  ["location", "Box 9", "location", "Box 9"],
  ["tags", "fair", "tags.0", "fair"],
  ["listingPrice,listingCurrency", "3.75,EUR", "listing.price", { amount: 3.75, currency: "EUR" }]
]

/** What an import takes, and what it does with each row. */
export const imports: ReadonlyArray<Fact> = [
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
