import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, section, untried } from "../Fact.ts"
import { answered, askAs, readAt, refused, at, listAt } from "../reading/ask.ts"

const purchases = "purchases:read, purchases:write"

/** What a key with one scope alone may ask for. `404`: something that is not there. */
const granted: ReadonlyArray<readonly [row: string, scope: string, request: string, body?: unknown]> = [
  ["account:read, account:write", "account:read", "GET /v1/account/me"],
  ["account:read, account:write", "account:write", "POST /v1/account/vacation", { enabled: false }],
  ["inventory:read, inventory:write", "inventory:read", "GET /v1/inventory"],
  ["inventory:read, inventory:write", "inventory:read", "GET /v1/inventory/none"],
  ["inventory:read, inventory:write", "inventory:read", "GET /v1/inventory/bulk/jobs/none"],
  [
    "inventory:read, inventory:write",
    "inventory:write",
    "POST /v1/inventory",
    { lines: [{ productId: 1, finish: "x", quantity: 1 }] }
  ],
  ["inventory:read, inventory:write", "inventory:write", "PATCH /v1/inventory/none", { comment: "x" }],
  ["inventory:read, inventory:write", "inventory:write", "DELETE /v1/inventory/none", {}],
  ["listings:read, listings:write", "listings:read", "GET /v1/listings"],
  ["listings:read, listings:write", "listings:write", "DELETE /v1/inventory/none/listing", {}],
  ["sales:read, sales:write", "sales:read", "GET /v1/sales"],
  ["sales:read, sales:write", "sales:read", "GET /v1/sales/none"],
  ["sales:read, sales:write", "sales:write", "POST /v1/sales/none/refunds", { amount: 1 }],
  ["sales:read, sales:write", "sales:write", "PATCH /v1/sales/none/metadata", { metadata: {} }],
  [purchases, "purchases:read", "GET /v1/purchases"],
  [purchases, "purchases:read", "GET /v1/purchases/none"],
  ["financial:read", "financial:read", "GET /v1/account/balance"]
]
const scopes = ["account", "inventory", "listings", "sales", "purchases", "disputes", "messaging"]
  .flatMap((room) => [`${room}:read`, `${room}:write`])
  .concat("financial:read")

const ofScope = ([row, scope, request, body]: (typeof granted)[number]): ReadonlyArray<Fact> => [
  fact([row, "*"], `${request} needs ${scope}: it alone is enough, and so is *`, async ({ keyFor, shop }) => {
    for (const each of [scope, "*"]) {
      const { status } = await (await keyFor(shop, each)).ask(request, body)
      ok(status === 200 || status === 404, `${each}: ${status}`)
    }
  }),
  fact([row, "rule 5"], `${request} without ${scope} is a 403 that says so`, async ({ keyFor, shop }) => {
    const others = scopes.filter((each) => each !== scope)
    const data = await refused((await keyFor(shop, ...others)).ask(request, body), 403, "FORBIDDEN")
    deepEqual(at(data, "required"), [scope])
    deepEqual(listAt(data, "granted").toSorted(), others.toSorted())
  })
]

const bad: ReadonlyArray<readonly [string, (key: string) => string | undefined]> = [
  ["no header", () => undefined],
  ["another scheme", (key) => `Basic ${key}`],
  ["no scheme", (key) => key],
  ["an empty key", () => "Bearer "],
  ["an unknown key", () => "Bearer cl_sandbox_0123456789abcdef0123456789abcdef"],
  ["a key without its end", (key) => `Bearer ${key.slice(0, -1)}`],
  ["a key with more behind it", (key) => `Bearer ${key}0`],
  ["a key in capitals", (key) => `Bearer ${key.toUpperCase()}`]
]

export const authentication = [
  section("spec", "Authentication", [
    fact("rule 1", "every operation, found or not, needs a key", async ({ keyless }) => {
      for (const path of ["games", "products/10007", "inventory", "sales/none", "feeds/emberfall/changelog", "cart"])
        await refused(keyless(`GET /v1/${path}`), 401, "UNAUTHORIZED")
    }),
    fact("rule 2", "a key is a fixed prefix and something random", async ({ shop, buyer, keyFor }) => {
      const keys = [shop.key, buyer.key, (await keyFor(shop, "*")).key]
      const prefixes = keys.map((key) => /^([a-z_]+_)[0-9a-f]{32}$/.exec(key)?.[1])
      ok(prefixes[0] !== undefined && new Set(prefixes).size === 1)
      equal(new Set(keys).size, 3)
    }),
    fact("rule 2", "the whole key counts, not its prefix", async ({ shop, url, talk }) => {
      const changed = shop.key.slice(0, -1) + (shop.key.endsWith("0") ? "1" : "0")
      await refused(askAs(url, changed, talk)("GET /v1/games"), 401)
    }),
    fact("rule 3", "an account has several keys, each with scopes of its own", async ({ shop, keyFor }) => {
      const one = await keyFor(shop, "account:read")
      const two = await keyFor(shop, "account:read", "sales:read")
      for (const { ask } of [one, two]) equal(await readAt(ask("GET /v1/account/me"), "id"), shop.id)
      await refused(one.ask("GET /v1/sales"), 403)
      await answered(two.ask("GET /v1/sales"))
    }),
    ...bad.map(([says, header]) =>
      fact("rule 4", `${says} is a 401 that does not say why`, async ({ shop, keyless }) => {
        const authorization = header(shop.key)
        const headers = authorization === undefined ? {} : { authorization }
        const answer = await keyless("GET /v1/games", undefined, headers)
        deepEqual(at(answer.json, "data"), await refused(answer, 401, "UNAUTHORIZED"))
        deepEqual(answer.json, { code: "UNAUTHORIZED", status: 401, message: "Unauthorized", data: {} })
      })
    ),
    fact("rule 4", "a revoked key is a 401 that does not say why", async ({ shop, keyFor, control }) => {
      const key = await keyFor(shop, "*")
      await answered(key.ask("GET /v1/games"))
      const { status } = await control(`DELETE /sandbox/keys/${key.id}`, {})
      ok(status < 300)
      const answer = await key.ask("GET /v1/games")
      deepEqual(answer.json, { code: "UNAUTHORIZED", status: 401, message: "Unauthorized", data: {} })
    }),
    ...granted.flatMap(ofScope),
    ...["disputes:read, disputes:write", "messaging:read, messaging:write"].flatMap((row) => [
      fact(row, `${row}: a key can carry them, and nothing else follows from them`, async ({ keyFor, shop }) => {
        const { ask } = await keyFor(shop, ...row.split(", "))
        await answered(ask("GET /v1/games"))
        await refused(ask("GET /v1/sales"), 403)
      }),
      untried(row, `what ${row} grant`, "no document has an operation for them")
    ]),
    fact(purchases, "purchases:write can be carried", async ({ keyFor, buyer }) => {
      await refused((await keyFor(buyer, "purchases:write")).ask("GET /v1/purchases"), 403)
    }),
    untried(purchases, "what purchases:write grants", "no document has an operation for it"),
    fact("rule 6", "revocation takes effect on the next request, in the middle of a sweep", async (world) => {
      const { shop, keyFor, control } = world
      const key = await keyFor(shop, "*")
      const page = await answered(key.ask("GET /v1/sales?limit=1"))
      await control(`DELETE /sandbox/keys/${key.id}`, {})
      const cursor = encodeURIComponent(String(at(page, "pagination.nextCursor")))
      await refused(key.ask(`GET /v1/sales?limit=1&cursor=${cursor}`), 401)
    }),
    fact("rule 6", "a key is rotated without a gap: create, verify, revoke the old one", async (world) => {
      const { shop, keyFor, control } = world
      const old = await keyFor(shop, "*")
      const next = await keyFor(shop, "*")
      for (const { ask } of [old, next]) await answered(ask("GET /v1/account/me"))
      await control(`DELETE /sandbox/keys/${old.id}`, {})
      await refused(old.ask("GET /v1/account/me"), 401)
      await answered(next.ask("GET /v1/account/me"))
    })
  ])
]
