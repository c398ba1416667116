import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { allowedHost, assertHosts } from "../../feed/guard/hosts.ts"
import { rawRequest } from "../../feed/guard/rawRequest.ts"
import { faultySandbox } from "../FaultySandbox.ts"
import { ask, Served, testKey } from "../Served.ts"
import { suite } from "../../support/sandbox.ts"
import { live } from "../../support/suite.ts"

const keyLine = `Authorization: Bearer ${testKey}`

/** A POST as some page or program sends it. */
const post = Effect.fnUntraced(function* (path: string, headers: ReadonlyArray<string>, body: string, host?: string) {
  const { url } = yield* Served
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host ?? new URL(url).host}`, `Content-Length: ${body.length}`]
  return yield* rawRequest(url, [...head, ...headers], body)
})

const get = Effect.fnUntraced(function* (path: string, headers: ReadonlyArray<string> = []) {
  const { url } = yield* Served
  return yield* rawRequest(url, [`GET ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, ...headers])
})

const accounts = Effect.map(ask("/sandbox/accounts"), ({ json }) => json.data.length)

const isJson = "Content-Type: application/json"
let made = 0
const newAccount = () => JSON.stringify({ username: `someone-${++made}` })

suite(Served.layer({ allowedHosts: [allowedHost] }))("a page of another site", (it) => {
  for (const path of ["/v1/games", "/openapi.json", "/sandbox", "/sandbox/openapi.json", "/sandbox/keys"]) {
    it(`cannot have ${path} under a name that it points at this machine`, function* () {
      const { url } = yield* Served
      yield* assertHosts(url, path, [keyLine])
    })
  }

  it("is told, under a name that is not served, how to have it served", function* () {
    const { url } = yield* Served
    const { text } = yield* rawRequest(url, ["GET /v1/games HTTP/1.1", "Host: evil.example", keyLine])
    assert.include(text, `"code":"HOST_NOT_ALLOWED","status":403`)
    assert.include(text, "--allow-host evil.example")
    assert.match(text, /^x-request-id: req_/m)
  })

  it("cannot call a control route, and one of the sandbox's own or a program can", function* () {
    const { url } = yield* Served
    const { host, port } = new URL(url)
    const before = yield* accounts
    const foreign = [
      ["Origin: http://evil.example"],
      ["Origin: null"],
      // Another port is another site, whose requests a browser calls same-site.
      ["Origin: http://127.0.0.1:1", "Sec-Fetch-Site: same-site"],
      [`Origin: http://localhost:${port}`],
      [`Origin: http://${host}.evil.example`],
      [`Origin: http://${host}`, "Origin: http://evil.example"],
      ["Sec-Fetch-Site: cross-site"],
      ["Sec-Fetch-Site: same-site"],
      ["Sec-Fetch-Site: a word of later browsers"],
      [`Origin: http://${host}`, "Sec-Fetch-Site: cross-site"],
      ["Origin: http://evil.example", "Sec-Fetch-Site: same-origin"],
      ["Origin: file://"]
    ]
    for (const headers of foreign) {
      const answer = yield* post("/sandbox/accounts", [isJson, ...headers], newAccount())
      assert.strictEqual(answer.status, 403, headers.join())
      assert.include(answer.text, `"code":"FOREIGN_PAGE"`)
      for (const path of ["/sandbox", "/sandbox/room.js", "/sandbox/keys", "/sandbox/openapi.json"]) {
        assert.strictEqual((yield* get(path, headers)).status, 403, `${path} with ${headers.join()}`)
      }
    }
    assert.strictEqual(yield* accounts, before)
    for (const headers of [
      [],
      ["Sec-Fetch-Site: none"],
      [`Origin: http://${host}`, "Sec-Fetch-Site: same-origin"],
      [`Origin: http://${host}`],
      ["Origin: null", "Sec-Fetch-Site: same-origin"]
    ]) {
      const answer = yield* post("/sandbox/accounts", [isJson, ...headers], newAccount())
      assert.strictEqual(answer.status, 200, headers.join())
    }
    for (const origin of ["http://lake.example", "https://lake.example"]) {
      const answer = yield* post("/sandbox/accounts", [isJson, `Origin: ${origin}`], newAccount(), "lake.example")
      assert.strictEqual(answer.status, 200, origin)
    }
  })

  it("reaches no control route by another spelling of its path", function* () {
    const before = yield* accounts
    for (const path of [
      "/sandbox/accounts",
      "/sandbox/accounts/",
      "//sandbox/accounts",
      "/%73andbox/accounts",
      "/SANDBOX/accounts",
      "/v1/../sandbox/accounts",
      "/sandbox/files/../accounts",
      "/sandbox/accounts?/v1/games",
      "/sandbox/accounts;/v1",
      `http://127.0.0.1/sandbox/accounts`
    ]) {
      const answer = yield* post(path, [isJson, "Origin: http://evil.example"], newAccount())
      assert.oneOf(answer.status, [403, 404], path)
    }
    assert.strictEqual(yield* accounts, before)
  })

  it("needs a key for /v1, and with one it is a client like any other", function* () {
    const headers = ["Origin: http://shop.example", "Sec-Fetch-Site: cross-site"]
    assert.strictEqual((yield* get("/v1/games", headers)).status, 401)
    assert.strictEqual((yield* get("/v1/games", [...headers, keyLine])).status, 200)
    const search = yield* post("/v1/products/search", [...headers, keyLine, isJson], "{}")
    assert.strictEqual(search.status, 200)
    assert.notMatch(search.text, /^access-control-/im)
  })

  it("may show a photo, which has no key", function* () {
    const { status, text } = yield* get("/sandbox/files/none", ["Sec-Fetch-Site: cross-site"])
    assert.deepEqual([status, text.includes("AccessDenied")], [403, true])
  })
})

suite(Served.layer({ scopes: ["*"] }))("a body", (it) => {
  for (const type of [
    undefined,
    "",
    "text/plain;charset=UTF-8",
    "text/plain; application/json",
    "text/plain,application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x"
  ]) {
    it(`of type ${type ?? "none"} is not JSON: no account, no key, no deployment, no time, no search`, function* () {
      const before = (yield* get("/sandbox/tables")).text.replace(/^.*\r\n\r\n/s, "")
      const ofType = type === undefined ? [] : [`Content-Type: ${type}`]
      for (const [path, body] of [
        ["/sandbox/accounts", newAccount()],
        ["/sandbox/accounts/acc_sandbox/keys", `{"scopes":["*"]}`],
        ["/sandbox/deploy", `{"gameId":"emberfall"}`],
        ["/sandbox/clock", `{"seconds":1}`],
        ["/sandbox/feeds", `{"lagSeconds":1}`],
        ["/v1/products/search", "{}"]
      ] as const) {
        const { status, text } = yield* post(path, [...ofType, keyLine], body)
        assert.strictEqual(status, 400, path)
        assert.include(text, `"code":"UNSUPPORTED_CONTENT_TYPE"`, path)
      }
      const { url } = yield* Served
      const chunked = ["POST /sandbox/accounts HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked", ...ofType]
      const sent = newAccount()
      const answer = yield* rawRequest(url, chunked, `${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n`)
      assert.include(answer.text, `"code":"UNSUPPORTED_CONTENT_TYPE"`)
      assert.strictEqual((yield* get("/sandbox/tables")).text.replace(/^.*\r\n\r\n/s, ""), before)
    })
  }

  it("of type application/json is JSON, however it is written", function* () {
    for (const type of ["application/json", "Application/JSON; charset=utf-8"]) {
      const { status } = yield* post("/sandbox/accounts", [`Content-Type: ${type}`], newAccount())
      assert.strictEqual(status, 200, type)
    }
  })

  it("of an operation that takes files is multipart", function* () {
    for (const type of [[], [isJson], ["Content-Type: text/csv"]]) {
      const { text } = yield* post("/v1/inventory/bulk/import", [...type, keyLine], "{}")
      assert.include(text, `"code":"UNSUPPORTED_CONTENT_TYPE"`)
    }
  })

  it("that is not there needs no type", function* () {
    const { status, text } = yield* post("/sandbox/deliveries/none/replay", [], "")
    assert.deepEqual([status, text.includes(`"code":"NOT_FOUND"`)], [404, true])
  })
})

describe("a fault", () => {
  live("strikes only requests with a key: a page of another site uses none of them up", function* () {
    const { ask: asked, sandbox } = yield* faultySandbox({ rules: [{ kind: "redeploy", at: [1] }] })
    const { host } = new URL(sandbox.url)
    const path = "/v1/games/emberfall/expansions"
    for (const line of [`Host: ${host}`, "Host: evil.example"]) {
      yield* rawRequest(sandbox.url, [`GET ${path} HTTP/1.1`, line])
    }
    yield* rawRequest(sandbox.url, [`GET ${path} HTTP/1.1`, "Host: evil.example", keyLine])
    assert.deepEqual((yield* sandbox.injected).list, [])
    yield* asked(path)
    assert.strictEqual((yield* sandbox.injected).list.length, 1)
  })
})
