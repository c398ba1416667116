import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { roomPages } from "./roomPages.ts"
import { suite, values } from "../../support/sandbox.ts"

const filling = { seed: 3, accounts: 6, orders: 12 }

suite(Served.layer({ filling, live: "last" }))("the control room", (it) => {
  it("is served without a key, and may load nothing from elsewhere", function* () {
    const { url } = yield* Served
    for (const [path, type] of [
      ["/sandbox", "text/html"],
      ["/sandbox/room.js", "text/javascript"],
      ["/sandbox/room.css", "text/css"]
    ] as const) {
      const answer = yield* Effect.promise(() => fetch(url + path))
      assert.strictEqual(answer.status, 200)
      assert.include(answer.headers.get("content-type"), type)
      assert.include(answer.headers.get("content-security-policy"), "default-src 'none'")
    }
  })

  it("has the tables as JSON, without hashes and secrets", function* () {
    const tables = (yield* ask("/sandbox/tables")).json.data as unknown as ReadonlyArray<{ name: string; rows: number }>
    assert.deepInclude(tables, { name: "orders", rows: 12 })
    assert.deepInclude(tables, { name: "accounts", rows: 7 })
    for (const { name } of tables) {
      const { json } = yield* ask(`/sandbox/tables/${name}`)
      const { columns, rows } = json as unknown as { columns: ReadonlyArray<string>; rows: ReadonlyArray<unknown> }
      assert.notMatch(columns.join(), /hash|secret/, name)
      assert.isAtMost(rows.length, 100)
    }
    const { json, status } = yield* ask("/sandbox/tables/sqlite_schema")
    assert.deepEqual([status, json.code], [404, "NOT_FOUND"])
  })

  it("has a page for every order, event, request, account and table, as links without scripts", function* () {
    const { url } = yield* Served
    const text = (path: string) =>
      Effect.promise(async () => {
        const answer = await fetch(url + path)
        return { status: answer.status, page: await answer.text() }
      })
    const scripted = /<script(?! type="module" (blocking="render" )?src="\/sandbox\/room\.js")|style="| on\w+="/
    const orders = yield* text("/sandbox/room/orders")
    const [, number = ""] = /href="\/sandbox\/room\/orders\/([^"]+)"/.exec(orders.page) ?? []
    for (const path of [...roomPages, `/sandbox/room/orders/${number}`, "/sandbox/room/tables?name=orders"]) {
      const { page, status } = yield* text(path)
      assert.strictEqual(status, 200, path)
      assert.include(page, "Buttons, forms and refreshing need", path)
      assert.notMatch(page, scripted, path)
    }
    for (const path of ["orders/none", "requests/0", "requests/x", "tables?name=sqlite_schema"])
      assert.strictEqual((yield* text(`/sandbox/room/${path}`)).status, 404, path)
    const wrong = ["orders?status=lost", "orders?day=today", "orders?cursor=none", "events?before=x"]
    for (const path of [...wrong, "requests?before=-1"])
      assert.strictEqual((yield* text(`/sandbox/room/${path}`)).status, 400, path)
    const none = yield* text("/sandbox/room/orders?day=1999-01-01")
    assert.include(none.page, "There are no such orders")
  })

  it("has a form for every control route, with a field for each of its parameters", function* () {
    const { url } = yield* Served
    const page = yield* Effect.promise(() => fetch(`${url}/sandbox/room/calls`).then((answer) => answer.text()))
    const forms = new Map(
      page
        .split("<form")
        .map((form) => [/data-method="(\w+)"\s+data-path="([^"]+)"/.exec(form)?.slice(1).join(" "), form])
    )
    const { paths } = (yield* ask("/sandbox/openapi.json")).json
    const routes = Object.entries(paths as Readonly<Record<string, object>>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [`${method.toUpperCase()} ${path}`, path] as const)
    )
    assert.sameMembers([...forms.keys()].slice(1) as Array<string>, values(routes, "0") as Array<string>)
    for (const [route, path] of routes)
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) assert.match(forms.get(route) ?? "", RegExp(`name="${name}"`))
    const account = forms.get("POST /sandbox/accounts") ?? ""
    for (const field of ['<option value="individual"', 'name="seller.type"', "<option>sales:read</option>"])
      assert.include(account, field)
    assert.match(forms.get("POST /sandbox/clock") ?? "", /type="number"[^>]*required[^>]*max="316224000"/)
    assert.match(forms.get("GET /sandbox/orders") ?? "", /type="date"[^>]*name="day"/)
  })

  it("lists orders by state and day, page by page", function* () {
    type Page = {
      data: ReadonlyArray<{ orderNumber: string; status: string; placedAt: string }>
      nextCursor: string | null
    }
    const page = (query: string) => Effect.map(ask(`/sandbox/orders${query}`), ({ json }) => json as unknown as Page)
    const all = yield* page("")
    assert.deepEqual([all.data.length, all.nextCursor], [12, null])
    const found: Array<string> = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const { data, nextCursor }: Page = yield* page(`?limit=5${cursor === "" ? "" : `&cursor=${cursor}`}`)
      found.push(...data.map(({ orderNumber }) => orderNumber))
      cursor = nextCursor
    }
    assert.deepEqual(found, values(all.data, "orderNumber"))
    const [first] = all.data
    const alike = yield* page(`?status=${first?.status}&day=${first?.placedAt.slice(0, 10)}`)
    assert.include(values(alike.data, "orderNumber"), first?.orderNumber)
    assert.isTrue(alike.data.every(({ status }) => status === first?.status))
    assert.deepEqual((yield* page("?day=1999-01-01")).data, [])
  })

  it("tells of an order what both sides see, what happened, and who wrote to whom", function* () {
    const { data } = (yield* ask("/sandbox/orders?status=pending_shipment")).json as unknown as {
      data: ReadonlyArray<{ orderNumber: string }>
    }
    const path = `/sandbox/orders/${data[0]?.orderNumber}`
    yield* ask(`${path}/messages`, { body: { from: "support" } })
    yield* ask(`${path}/steps`, { body: { to: "shipped", trackingNumber: `T-${data[0]?.orderNumber}` } })
    const order = (yield* ask(path)).json as unknown as {
      readonly steps: ReadonlyArray<{ status: string }>
      readonly messages: ReadonlyArray<{ from: string; to: ReadonlyArray<string> }>
      readonly sale: { shipping: { trackingNumber: string } }
      readonly purchase: { status: string }
    }
    assert.deepEqual(values(order.steps, "status"), ["pending_shipment", "shipped"])
    assert.deepEqual([order.messages[0]?.from, order.messages[0]?.to], ["Support", ["seller", "buyer"]])
    assert.strictEqual(order.sale.shipping.trackingNumber, `T-${data[0]?.orderNumber}`)
    assert.strictEqual(order.purchase.status, "shipped")
  })
})

suite(Served.layer())("the control room of an empty market", (it) => {
  it("sends no test to an endpoint that is switched off", function* () {
    const { url } = yield* Served
    const page = Effect.promise(() => fetch(`${url}/sandbox/room/webhooks`).then((answer) => answer.text()))
    const { json } = yield* ask("/sandbox/webhooks", { body: { accountId: "acc_sandbox", url: "http://127.0.0.1:9/" } })
    assert.include(yield* page, "Send a test")
    yield* ask(`/sandbox/webhooks/${json.id}`, { method: "PATCH", body: { enabled: false } })
    const off = yield* page
    assert.deepEqual([off.includes("off since"), off.includes("Send a test")], [true, false])
    yield* ask(`/sandbox/webhooks/${json.id}`, { method: "DELETE", body: {} })
  })

  it("has a field for each setting of a fault, with the kinds that it is for", function* () {
    const { url } = yield* Served
    const page = yield* Effect.promise(() => fetch(`${url}/sandbox/room/faults`).then((answer) => answer.text()))
    for (const name of ["kind", "endpoint", "rate", "status", "retryAfter", "dialect"]) {
      assert.include(page, ` name="${name}"`)
    }
    assert.match(page, / name="dialect"(?! required)/)
    assert.include(page, "For server-error.")
  })

  it("says on each page what would be there", function* () {
    const { url } = yield* Served
    for (const [path, says] of [
      ["/sandbox", "There are no orders"],
      ["/sandbox/room/requests", "No client has sent a request yet"],
      ["/sandbox/room/orders", "There are no such orders"],
      ["/sandbox/room/events", "Nothing has happened yet"],
      ["/sandbox/room/webhooks", "There are no endpoints"],
      ["/sandbox/room/faults", "The plan has no rules"]
    ] as const) {
      const page = yield* Effect.promise(() => fetch(url + path).then((answer) => answer.text()))
      assert.include(page, says, path)
    }
  })
})
