import { Effect, Schema } from "effect"
import { readFile, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { KnownDialect } from "../../feed/contract/dialect/dialects.ts"
import { closeServer, listeningAt } from "../answers/wire.ts"
import { MarketEvent } from "../contract/events/MarketEvent.ts"
import { makeFolders } from "../state/openDatabase.ts"
import { recordTour } from "./recordTour.ts"
import { exchange, type Exchange, sendingTo, type Sent } from "./sending.ts"
import { once } from "node:events"
import { createServer } from "node:http"

/** A delivery as received, byte for byte, for signature checks. */
export interface DeliveredEvent {
  readonly type: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const isSigned = ([name]: readonly [string, unknown]): boolean => name.startsWith("webhook-") || name === "content-type"

/** A local receiver of webhooks that stores the first delivery of each type. */
export const makeEventHook = Effect.gen(function* () {
  const received = new Map<string, DeliveredEvent>()
  let secret = ""
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const headers = Object.entries(request.headers)
        .filter(isSigned)
        .map(([name, value]) => [name, String(value)])
      const { type } = JSON.parse(body) as { type: string }
      if (!received.has(type)) received.set(type, { type, secret, headers: Object.fromEntries(headers), body })
      response.end()
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => closeServer(server)
  )
  return { url: `${listeningAt(server)}/webhooks`, trust: (signedWith: string) => void (secret = signedWith), received }
})

/** Returns the parts of an upload by name and type; text parts include their content. */
const describeParts = (form: FormData) =>
  [...form].map(([field, part]) =>
    typeof part === "string" ? { field, value: part } : { field, file: part.name, type: part.type, bytes: part.size }
  )

/** Headers to omit, since they differ between answers and mean nothing to a client. */
const omittedHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding", "content-length"])

/** Returns an exchange for a file, with placeholders for keys. */
export const makeFixture = (
  { answer, headers, operation, path, sent, status }: Exchange,
  keys: Readonly<Record<string, string>>
): unknown => {
  const { body, form, key } = sent
  const text = JSON.stringify({
    request: {
      method: operation.slice(0, operation.indexOf(" ")),
      path,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form: describeParts(form) })
    },
    answer: {
      status,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !omittedHeaders.has(name))),
      body: answer
    }
  })
  return JSON.parse(Object.entries(keys).reduce((written, [each, word]) => written.replaceAll(each, word), text))
}

/** The fixtures folder is not writable. */
export class FixturesUnwritable extends Schema.TaggedError<FixturesUnwritable>()("FixturesUnwritable", {
  folder: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The fixtures cannot be written to ${this.folder}: ${this.reason}. Name another folder: cardlake sandbox --record DIR`
  }
}

/** Returns operation names by method and path, as in `/openapi.json`. */
const readNames = (origin: string) =>
  Effect.map(exchange(origin, "GET /openapi.json"), ({ answer }) => {
    const paths: Record<string, Record<string, { operationId: string }>> = answer.paths
    return new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [`${method.toUpperCase()} ${path}`, operationId])
      )
    )
  })

/** Records one typical refusal per status. */
const recordErrors = Effect.fnUntraced(function* (origin: string, key: string) {
  const ask = (operation: string, sent: Sent) => exchange(origin, operation, sent)
  const line = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 1 }
  const { answer } = yield* ask("POST /v1/inventory", { body: { lines: [line] }, key })
  const params = { inventoryId: answer.created[0].id }
  const dollars = { price: { amount: 1, currency: "USD" } }
  return [
    yield* ask("GET /v1/inventory", { query: "?limit=0", key }),
    yield* ask("GET /v1/account/me", { key: "unknown" }),
    yield* ask("GET /v1/account/balance", { key: "reader" }),
    yield* ask("GET /v1/sales/{orderNumber}", { params: { orderNumber: "CL-999999" }, key }),
    yield* ask("PATCH /v1/inventory/{inventoryId}", { params, body: { quantity: { adjust: -100 } }, key }),
    yield* ask("POST /v1/inventory/{inventoryId}/listing", { params, body: dollars, key })
  ]
})

/** Waits for an event of every type. */
const untilAll = (received: ReadonlyMap<string, unknown>) =>
  Effect.promise(async () => {
    // oxlint-disable-next-line no-await-in-loop -- the deliveries come one after the other
    for (let tries = 0; received.size < MarketEvent.members.length && tries < 500; tries++) await setTimeout(20)
  })

const title = "# Fixtures\n\nRequests and answers of the marketplace's API as a sandbox recorded them"

/** Refuses a folder whose files are not fixtures. */
const mayRecordIn = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  const found = await readFile(join(folder, "README.md"), "utf8").catch(() => "")
  if (names.length > 0 && !found.startsWith(title)) throw new Error("it has files that no recording wrote")
}

const about = `# Fixtures

Requests and answers of the marketplace's API as a sandbox recorded them, so that a client can be tried without one.

- \`operations\` has a file for each operation, by the name that it has in \`/openapi.json\`, \`errors\` one for each status that is
  refused. The accounts, orders and products are invented. Keys are written as KEY_OF_SELLER and KEY_OF_BUYER; nothing else is
  left out.
- \`webhooks\` has a delivery of each event: \`body\` is what was signed, byte for byte, and \`secret\` what it was signed with.
  A receiver refuses what is older than five minutes: give it the instant in \`webhook-timestamp\` as the time.
`

const writing = (folder: string, run: () => Promise<void>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new FixturesUnwritable({ folder, reason: cause instanceof Error ? cause.message : String(cause) })
  })

const kinds = ["operations", "errors", "webhooks"]
const formatJson = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`

/** The read-only key that the sandbox was started with. */
export const readerKey = "reader"

/**
 * Writes one file per operation with request and answer, and files for errors and for a signed delivery of each event.
 * The sandbox must serve only the sample. Returns the number of files.
 */
export const recordFixtures = Effect.fnUntraced(function* (origin: string, folder: string, dialect: KnownDialect) {
  yield* writing(folder, () => mayRecordIn(folder))
  const first = new Map<string, Exchange>()
  const remember = (each: Exchange) => {
    if (each.operation.includes(" /v1/") && !first.has(each.operation)) first.set(each.operation, each)
  }
  const names = yield* readNames(origin)
  const hook = yield* makeEventHook
  const { buyer, seller } = yield* recordTour(sendingTo(origin, remember), hook, dialect)
  const errors = yield* recordErrors(origin, seller)
  yield* untilAll(hook.received)
  const fixture = (each: Exchange) => makeFixture(each, { [seller]: "KEY_OF_SELLER", [buyer]: "KEY_OF_BUYER" })
  const files = new Map<string, unknown>([
    ...[...first].map(([operation, each]) => [`operations/${names.get(operation)}.json`, fixture(each)] as const),
    ...errors.map((each) => [`errors/${each.status}.json`, fixture(each)] as const),
    ...[...hook.received].map(([type, delivery]) => [`webhooks/${type}.json`, delivery] as const)
  ])
  yield* writing(folder, async () => {
    for (const kind of kinds) makeFolders(join(folder, kind))
    await writeFile(join(folder, "README.md"), about)
    await Promise.all(Array.from(files, ([name, content]) => writeFile(join(folder, name), formatJson(content))))
  })
  return { folder, operations: first.size, errors: errors.length, webhooks: hook.received.size }
}, Effect.scoped)
