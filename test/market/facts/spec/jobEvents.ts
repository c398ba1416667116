import { deepEqual, equal, match, ok } from "node:assert/strict"
import { fact, once, section, untried } from "../Fact.ts"
import { answered, fetched, all, at, listAt, textAt } from "../reading/ask.ts"
import { dateTime } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"

const rows = [
  "productId,finish,condition,language,quantity",
  "10007,Standard,NM,en,3",
  "1,Standard,NM,en,1",
  "10010,Standard,NM,en,2"
].join("\n")

/** An import of which one row of three fails, one of which none does, one that fails, an export, and their events. */
const jobs = once(async ({ seller, stock, imported, exported, upload, ended, eventsOf }) => {
  const me = await seller()
  await stock(me, card)
  const part = await imported(me, `${rows}\n`)
  const whole = await imported(me, "productId,finish,condition,language,quantity\n10007,Standard,NM,en,3\n")
  const broken = await ended(me, textAt(await answered(upload(me, "x\n1\n"), 202), "job.id"))
  const out = await exported(me)
  const imports = await eventsOf(me, "inventory.import.completed")
  const [exportEvent] = await eventsOf(me, "inventory.export.completed")
  return { me, part, whole, broken, out, imports, exportEvent }
})

/** Lets time pass step by step, and says whether a link still leads to its file. */
const works = async (link: string) => (await fetched(link)).status === 200

export const jobEvents = [
  section("spec", "inventory.import.completed", [
    fact("jobId", "it is the job's, and eventId is <jobId>.completed", async (world) => {
      const { imports, part } = await jobs(world)
      equal(at(imports, "0.data.jobId"), at(part, "id"))
      equal(at(imports, "0.eventId"), `${textAt(part, "id")}.completed`)
    }),
    fact("status", "it is completed or failed", async (world) => {
      deepEqual(all((await jobs(world)).imports, "*.data.status"), ["completed", "completed", "failed"])
    }),
    ...(["total", "succeeded", "failed"] as const).map((key, place) =>
      fact(`counts.${key}`, `of three rows with a wrong one, ${key} is ${[3, 2, 1][place]}`, async (world) => {
        equal(at((await jobs(world)).imports, `0.data.counts.${key}`), [3, 2, 1][place])
      })
    ),
    fact("errorReportUrl", "it leads to a report of the failed rows", async (world) => {
      const { bytes, status } = await fetched(textAt((await jobs(world)).imports, "0.data.errorReportUrl"))
      equal(status, 200)
      const report: unknown = JSON.parse(bytes.toString())
      equal(listAt({ report }, "report").length, 1)
      match(JSON.stringify(report), /PRODUCT_NOT_FOUND/)
    }),
    fact("errorReportUrl", "it is null when there is none", async (world) => {
      equal(at((await jobs(world)).imports, "1.data.errorReportUrl"), null)
    })
  ]),
  section("spec", "inventory.export.completed", [
    fact("jobId", "it is the job's, and eventId is <jobId>.completed", async (world) => {
      const { exportEvent, out } = await jobs(world)
      equal(at(exportEvent, "data.jobId"), at(out, "id"))
      equal(at(exportEvent, "eventId"), `${textAt(out, "id")}.completed`)
    }),
    fact("status", "it is completed", async (world) => {
      equal(at((await jobs(world)).exportEvent, "data.status"), "completed")
    }),
    fact("downloadUrl", "it leads to the exported lines", async (world) => {
      const { bytes } = await fetched(textAt((await jobs(world)).exportEvent, "data.downloadUrl"))
      const lines: unknown = JSON.parse(bytes.toString())
      deepEqual(all(lines, "*.productId"), [10_007, 10_010])
    }),
    fact("expiresAt", "it is when the link stops working, an hour after the event", async (world) => {
      const { exportEvent } = await jobs(world)
      const expiresAt = textAt(exportEvent, "data.expiresAt")
      ok(dateTime.is(expiresAt))
      const minutes = (Date.parse(expiresAt) - Date.parse(textAt(exportEvent, "timestamp"))) / 60_000
      ok(minutes > 59 && minutes <= 60.1, `${minutes} minutes`)
    }),
    fact(["downloadUrl", "expiresAt"], "links work for an hour; the job has fresh ones for 7 days", async (world) => {
      const { exportEvent, imports, me, out, part } = await jobs(world)
      const links = [textAt(exportEvent, "data.downloadUrl"), textAt(imports, "0.data.errorReportUrl")]
      const fresh = async () => [
        at(await world.ended(me, textAt(out, "id")), "downloadUrl"),
        at(await world.ended(me, textAt(part, "id")), "errorReportUrl")
      ]
      await world.wait(3500)
      for (const link of links) ok(await works(link))
      await world.wait(160)
      for (const link of links) ok(!(await works(link)))
      for (const link of await fresh()) ok(await works(String(link)))
      await world.wait(6 * 86_400)
      for (const link of await fresh()) ok(await works(String(link)))
      await world.wait(86_400)
      deepEqual(await fresh(), [null, null])
    }),
    untried("status", "it is failed, with null as downloadUrl and expiresAt", "no request makes an export fail")
  ])
]
