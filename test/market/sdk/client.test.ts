import { afterEach, assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { ApiError, type ClientOptions, createClient, fromCents, toCents } from "../../../src/market/sdk/client.ts"
import type { SandboxOptions } from "../../../src/market/Sandbox.ts"
import { key, startSandbox } from "../../pipelines/cli.ts"
import { account, raw } from "./trade.ts"
import { isFull } from "../../tried.ts"

const stops: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** The sandbox, and a seller's client of it that counts its requests. */
const market = async (options: Partial<SandboxOptions> = {}, settings: Partial<ClientOptions> = {}) => {
  const sandbox = await startSandbox({ odd: false, ...options })
  stops.push(sandbox.stop)
  const { key: sellerKey } = await account(new URL(sandbox.url).origin, "ann")
  const sent: Array<Headers> = []
  const fetched = (address: string, init?: never) => {
    sent.push(new Headers((init as unknown as RequestInit).headers))
    return fetch(address, init)
  }
  return { api: createClient({ url: sandbox.url, key: sellerKey, fetch: fetched, ...settings }), sandbox, sent }
}

interface Limits {
  readonly accounts: ReadonlyArray<{ readonly requests: number; readonly refused: number }>
}

/** A server that is no marketplace. */
const other = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const requests: Array<IncomingMessage> = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  assert.instanceOf(error, ApiError)
  return error as ApiError
}

const ids = async (items: AsyncIterable<{ readonly id: unknown }>) => {
  const found: Array<unknown> = []
  for await (const { id } of items) found.push(id)
  return found
}

describe("a list", () => {
  it("goes on by cursor, by offset and in the body of a search, and asks for no page that is not read", async () => {
    const { api, sent } = await market()
    const whole = await ids(api.expansions.list("emberfall"))
    assert.deepStrictEqual([whole.length, sent.length], [6, 1])
    assert.deepStrictEqual(await ids(api.expansions.list("emberfall", { limit: 4 })), whole)
    assert.strictEqual(sent.length, 3)
    const deployments = await ids(api.feeds.changelog("emberfall", { limit: 1 }))
    assert.deepStrictEqual(deployments, await ids(api.feeds.changelog("emberfall")))
    const search = { gameFilters: { game: "emberfall" }, expansionId: [305] }
    const paged = await ids(api.products.search({ ...search, limit: 60 }))
    assert.deepEqual(paged, await ids(api.products.search(search)))
    const before = sent.length
    for await (const { id } of api.products.list({ limit: 1, offset: 2 })) {
      assert.isNumber(id)
      break
    }
    assert.strictEqual(sent.length, before + 1)
    const { data, pagination } = await api.products.list({ limit: 1, offset: 2 }).page()
    assert.deepStrictEqual([data.length, pagination.offset, pagination.hasMore], [1, 2, true])
  })

  it("in the live service's words has a `/v1` of its own, pages of searches, and words as they come", async () => {
    const { api, sandbox, sent } = await market({ dialect: "live" })
    assert.match(sandbox.url, /\/v1$/)
    const found = await ids(api.products.search({ gameFilters: { game: "emberfall" }, expansionId: [305], limit: 60 }))
    assert.strictEqual(new Set(found).size, found.length)
    assert.isAbove(found.length, 60)
    // Its price has both sources.
    const { pricesByFinish } = await api.products.prices(10_013)
    assert.property(pricesByFinish["Standard"], "tcgplayer")
    const before = sent.length
    const error = await failureOf(api.games.get("nothing"))
    assert.deepStrictEqual([error.code, error.status, sent.length - before], ["GAME_NOT_FOUND", 500, 1])
  })
})

describe("the offers of others", () => {
  it("are the listings of the same item that are not the seller's own, and cents are exact", async () => {
    const { api, sandbox } = await market()
    const rival = createClient({ url: sandbox.url, key: (await account(sandbox.url, "rival")).key })
    const line = { ...raw, quantity: 1 }
    const price = (amount: number) => ({ listing: { price: { amount, currency: "EUR" } } }) as const
    const { created } = await api.inventory.create({ lines: [{ ...line, ...price(5) }] })
    await rival.inventory.create({
      lines: [
        { ...line, ...price(4.35) },
        { ...line, ...price(4), condition: "LP" }
      ]
    })
    const { id, seller } = await api.account.me()
    const offers = api.products.otherListings(created[0]!, { sellerId: id })
    const rivals = []
    for await (const { price: amount, seller: by } of offers) if (by.username === "rival") rivals.push(toCents(amount))
    assert.deepStrictEqual(rivals, [435])
    const under = fromCents(435 - 1, seller?.currency ?? "USD")
    const repriced = await api.listings.update(created[0]!.id, { price: under })
    assert.deepStrictEqual(repriced.listing?.price, { amount: 4.34, currency: "EUR" })
    const own = []
    for await (const { listingId } of api.products.listings(raw.productId)) own.push(listingId)
    assert.include(own, repriced.listing?.listingId)
    assert.throws(() => fromCents(1.5, "EUR"), TypeError)
  })
})

describe("a write whose answer is lost", () => {
  it.each(["server-error", "reset", "truncated"] as const)(
    "is sent again with its key, and done once: %s",
    async (kind) => {
      const { api, sent } = await market({ faults: { rules: [{ endpoint: "inventory", kind, at: [1] }] } })
      const { created } = await api.inventory.create({ lines: [{ ...raw, quantity: 5 }] })
      assert.strictEqual(created[0]?.quantity, 5)
      assert.strictEqual((await api.inventory.get(created[0]?.id ?? "")).quantity, 5)
      const keys = sent.slice(0, 2).map((headers) => headers.get("idempotency-key"))
      assert.match(keys[0] ?? "", /^[\w-]{36}$/)
      assert.strictEqual(keys[1], keys[0])
      await api.inventory.create({ lines: [{ ...raw, quantity: 5 }] })
      assert.notStrictEqual(sent.at(-1)?.get("idempotency-key"), keys[0])
    }
  )

  it("with a key of the caller's is done once over two calls, which another body may not have", async () => {
    const { api } = await market()
    const [lines, options] = [{ lines: [{ ...raw, quantity: 5 }] }, { idempotencyKey: "order-77" }]
    const [first, second] = [await api.inventory.create(lines, options), await api.inventory.create(lines, options)]
    assert.deepStrictEqual(first, second)
    const error = await failureOf(api.inventory.create({ lines: [{ ...raw, quantity: 6 }] }, options))
    assert.isTrue(error.is("IDEMPOTENCY_KEY_REUSED") && error.data.request === "POST /v1/inventory")
  })
})

describe("a rate limit", () => {
  it("is waited for as the answer says", async () => {
    const rule = { endpoint: "games", kind: "rate-limited", retryAfter: 1, at: [1] } as const
    const { api, sent } = await market({ faults: { rules: [rule] } })
    const begun = performance.now()
    assert.isAbove((await ids(api.games.list())).length, 0)
    assert.isAbove(performance.now() - begun, 1000)
    assert.strictEqual(sent.length, 2)
  })

  it("that would take too long is an error at once, which says how long", async () => {
    const rule = { endpoint: "game", kind: "rate-limited", retryAfter: 90 } as const
    const { api, sent } = await market({ faults: { rules: [rule] } })
    const error = await failureOf(api.games.get("emberfall"))
    assert.isTrue(error.is("TOO_MANY_REQUESTS") && error.data.retryAfter === 90)
    assert.strictEqual(sent.length, 1)
  })

  it.runIf(isFull)("is kept to by the headers: of more calls than it allows at once, none is refused", async () => {
    const { api, sandbox } = await market({ rateLimit: 60 })
    await Promise.all(Array.from({ length: 60 }, () => api.games.get("emberfall")))
    await Promise.all(Array.from({ length: 3 }, () => api.games.get("emberfall")))
    const limits = (await (await fetch(`${sandbox.url}/sandbox/limits`)).json()) as Limits
    const { refused, requests } = limits.accounts[0]!
    assert.deepEqual([limits.accounts.length, requests, refused], [1, 63, 0])
  })
})

describe("a failed call", () => {
  it("says code, status, data and request, and is not repeated if that cannot help", async () => {
    const { api, sent } = await market()
    const error = await failureOf(api.sales.get("no-such-order"))
    assert.deepStrictEqual([error.code, error.status, error.method], ["NOT_FOUND", 404, "GET"])
    assert.deepStrictEqual([error.data["orderNumber"], error.path], ["no-such-order", "/v1/sales/no-such-order"])
    assert.match(error.requestId ?? "", /^req_/)
    assert.match(error.message, /^NOT_FOUND: .+ \(GET \/v1\/sales\/no-such-order, request req_\w+\)$/)
    assert.strictEqual(sent.length, 1)
  })

  it("is repeated as often as wanted while it tends to pass", async () => {
    const { api, sent } = await market({ faults: { rules: [{ endpoint: "game", kind: "server-error", status: 503 }] } })
    const error = await failureOf(api.games.get("emberfall", { retries: 1 }))
    assert.deepStrictEqual([error.code, sent.length], ["SERVICE_UNAVAILABLE", 2])
  })

  it("says so when nobody answers in time, or at all, or something else does", async () => {
    const { api } = await market(
      { faults: { rules: [{ endpoint: "game", kind: "delay", millis: 3000 }] } },
      { retries: 0 }
    )
    assert.strictEqual((await failureOf(api.games.get("emberfall", { timeoutMillis: 100 }))).code, "TIMEOUT")
    const nobody = createClient({ url: "http://127.0.0.1:1", key, retries: 0 })
    assert.strictEqual((await failureOf(nobody.account.me())).code, "NO_ANSWER")
    const { url } = await other((_, response) => response.writeHead(404).end("<html>"))
    const proxy = await failureOf(createClient({ url, key }).account.me())
    assert.deepStrictEqual([proxy.code, proxy.status], ["INVALID_ANSWER", 404])
  })

  it("ends when its signal says so, with the signal's reason, also while it waits", async () => {
    const { api } = await market({ faults: { rules: [{ endpoint: "games", kind: "rate-limited", retryAfter: 30 }] } })
    const stop = new AbortController()
    const call = api.games.get("emberfall", { signal: AbortSignal.abort("before") })
    assert.strictEqual(await call.catch(String), "before")
    const waiting = api.games.list({ signal: stop.signal }).page()
    setTimeout(() => stop.abort("enough"), 100)
    assert.strictEqual(await waiting.catch(String), "enough")
  })
})

describe("the key", () => {
  it("does not follow a redirect, and is in no error", async () => {
    const target = await other((_, response) => response.end("{}"))
    const { requests, url } = await other((_, response) =>
      response.writeHead(307, { location: target.url, "x-request-id": key }).end()
    )
    const error = await failureOf(createClient({ url, key }).account.me())
    assert.deepStrictEqual([error.code, target.requests.length, requests.length], ["REDIRECTED", 0, 1])
    assert.notInclude(inspect(error, { depth: 9, showHidden: true }), key)
    assert.notInclude(inspect(createClient({ url, key }), { depth: 9, showHidden: true }), key)
  })

  it("is taken out of an error that repeats it", async () => {
    const { url } = await other(({ headers }, response) => {
      const text = `It was ${headers.authorization}`
      const body = { code: "UNAUTHORIZED", status: 401, message: text, data: { text } }
      response.writeHead(401, { "x-request-id": text }).end(JSON.stringify(body))
    })
    const error = await failureOf(createClient({ url, key }).account.me())
    assert.strictEqual(error.data["text"], "It was Bearer <key>")
    assert.notInclude(inspect(error, { depth: 9 }), key)
  })

  it("does not go along to a file's host, whose link is in no error", async () => {
    const files = await other((_, response) => response.writeHead(403).end("<Error>"))
    const error = await failureOf(
      createClient({ url: files.url, key }).download(`${files.url}/file.gz?signature=secret`)
    )
    assert.deepStrictEqual([error.status, error.path], [403, "/file.gz"])
    assert.isUndefined(files.requests[0]?.headers.authorization)
    assert.notInclude(inspect(error, { depth: 9 }), "signature")
  })

  it.each(["", "two words", "line\nend", "schlüssel"])("that is none is refused without repeating it: %j", (wrong) => {
    const make = () => createClient({ url: "https://market.example", key: wrong })
    assert.throws(make, /^`key` is not an API key: it is empty, or has a blank/)
  })
})

it.each(["market.example", "ftp://market.example", "https://ann:pw@market.example", "https://market.example/?a=b"])(
  "an address that is none is refused: %s",
  (url) => assert.throws(() => createClient({ url, key }), /^`url` /)
)

it.each(["..", ".", ""])("an id that would lead to another operation is refused: %j", async (id) => {
  const { requests, url } = await other((_, response) => response.end("{}"))
  const call = createClient({ url, key }).inventory.delete(id)
  assert.match(String(await call.catch((reason: unknown) => reason)), /^TypeError: `inventoryId` is /)
  assert.strictEqual(requests.length, 0)
})
