import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import type { Job, FailedRow } from "../../../src/market/contract/jobs/jobOperations.ts"
import { Served, type makeTrader } from "../Served.ts"

export type Trader = Effect.Success<ReturnType<typeof makeTrader>>

interface Started {
  readonly status: number
  readonly job: Job
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The types that browsers give to files. */
const types: Readonly<Record<string, string>> = { csv: "text/csv", json: "application/json" }

/** Sends a file as an import, as a browser would; `fields` go with it. */
export const upload = Effect.fnUntraced(function* (
  { key, once }: Pick<Trader, "key"> & { readonly once?: string },
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, string>> = {},
  preset = ""
) {
  const { url } = yield* Served
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  body.append("file", new Blob([content], { type: types[name.split(".").at(-1) ?? ""] ?? "" }), name)
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}/v1/inventory/bulk/import${preset}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...(once === undefined ? {} : { "idempotency-key": once }) },
      body
    })
    return { ...((await answer.json()) as object), status: answer.status } as Started
  })
})

/** The job when it has ended. Asks every few milliseconds. */
export const ended = Effect.fnUntraced(function* ({ api }: Pick<Trader, "api">, jobId: string) {
  for (;;) {
    const { job } = yield* api.jobs.job({ params: { jobId } })
    if (job.status === "completed" || job.status === "failed") return job
    yield* Effect.promise(() => setTimeout(5))
  }
})

/** Imports a file and waits for its end. */
export const imported = (
  trader: Trader,
  name: string,
  content: string,
  fields: Readonly<Record<string, string>> = {}
) => Effect.flatMap(upload(trader, name, content, fields), ({ job }) => ended(trader, job.id))

/** What a link leads to. */
export const fetched = (url: string | null) =>
  Effect.promise(async () => {
    const answer = await fetch(url ?? "")
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  })

/** The report of what was not imported. */
export const reported = ({ errorReportUrl }: Job) =>
  Effect.map(fetched(errorReportUrl), ({ bytes }) => JSON.parse(bytes.toString()) as ReadonlyArray<FailedRow>)
