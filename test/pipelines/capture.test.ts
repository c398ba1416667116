import { folderHere, sandboxHere } from "../support/place.ts"
import { assert, beforeAll, afterAll, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Option, Schema, Scope } from "effect"
import { Capture } from "../../src/feed/contract/Capture.ts"
import { serveCapture } from "../../src/market/serveCapture.ts"
import { assertFault, cardlake, json, key, settings, startCardlake } from "./cli.ts"
import { readCapture } from "../../src/night/run/capture/captureFile.ts"
import { hostileCases } from "../safety/hostileTexts.ts"
import { startProxy } from "./proxy.ts"
import { isFull } from "../tried.ts"

const folder = folderHere()
const file = join(folder, "capture.json")
const home = join(folder, "home")
const signed = "https://img.example/1.png?X-Signature=c0ffee"

let paths: Array<string> = []
const failing = { endpoint: "prices", kind: "server-error", status: 503 } as const
const sandbox = await sandboxHere({ odd: false, faults: { rules: [failing] } })
let proxy: Awaited<ReturnType<typeof startProxy>>

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Capture))
const captured = () => decode(readFileSync(file, "utf8"))
const answerOf = (part: string) => captured().answers.find((answer) => answer.part === part)

/** The first page of this game has cards alone, so its sealed products are asked for. */
const game = "tidewrack"

const capture = (...args: ReadonlyArray<string>) =>
  cardlake(["doctor", "--capture", file, ...args], { env: settings(proxy.url, home) })

beforeAll(async () => {
  proxy = await startProxy(sandbox.url, ({ answer, path }) => {
    paths.push(path)
    if (path !== "/v1/games") return answer
    return answer.replace("{", `{"viewer":{"accountId":"acc_77","email":"ann@shop.example"},"banner":"${signed}",`)
  })
})
afterAll(() => proxy.stop())

describe("doctor --capture", () => {
  it("shows what it would write, and writes nothing unless it is told to", async () => {
    const { code, stdout } = await capture()
    assert.strictEqual(code, 0)
    assert.match(stdout, /^games +200 +[\d,]+ bytes +1 × link, 2 × account +GET \/v1\/games$/m)
    assert.match(stdout, /^products +200 .* POST \/v1\/products\/search\?limit=200&offset=0/m)
    // The first game that is listed; its first page has sealed products.
    assert.match(stdout, /^expansions +200 .* GET \/v1\/games\/emberfall\/expansions/m)
    assert.notMatch(stdout, /^sealed /m)
    assert.match(stdout, /^history +503 /m)
    assert.include(stdout, "Nothing was written. To write it, add --yes")
    assert.isFalse(existsSync(file))
  })

  it("writes every part as it came, and a request that fails as its failure", async () => {
    paths = []
    const { stdout } = await capture("--game", game, "--yes")
    assert.include(stdout, `Written to ${file}, readable only by you`)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.deepStrictEqual(
      captured().answers.map(({ part, status }) => `${part} ${status}`),
      [
        "games 200",
        "products 200",
        "sealed 200",
        "expansions 200",
        "changelog 200",
        "changelog 200",
        "feeds 200",
        "catalog lines 200",
        "expansions lines 200",
        "prices lines 200",
        "history 503",
        "error 404"
      ]
    )
    const request = { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } }
    const body = `{"gameFilters":{"game":"${game}"},"sortBy":"name","sortDirection":"asc"}`
    const page = await fetch(`${sandbox.url}/v1/products/search?limit=200&offset=0`, { ...request, body })
    assert.strictEqual(answerOf("products")?.body, await page.text())
    assert.strictEqual(answerOf("products")?.headers["x-ratelimit-limit"], "1000000")
    assert.strictEqual(answerOf("prices lines")?.body.trimEnd().split("\n").length, 50)
    // Its records are healthy, those of feed files, too.
    assert.notMatch((await cardlake(["dialect", file])).stderr, /^BAD {2}.* lines: /m)
    // One of them is asked for twice: with changes and without.
    assert.strictEqual(paths.filter((path) => path.startsWith("/v1/")).length, 9)
  })

  it("has no key, no signature, and nothing of the account in it", () => {
    const text = readFileSync(file, "utf8")
    for (const secret of [key, "c0ffee", "signature=", "ann@shop.example", "acc_77", "Bearer"]) {
      assert.notInclude(text, secret)
    }
    assert.include(
      answerOf("games")?.body,
      `"accountId":"<cut>","email":"<cut>"},"banner":"https://img.example/1.png?<cut>"`
    )
  })

  it("writes over no file, and asks for nothing then", async () => {
    const before = readFileSync(file, "utf8")
    paths = []
    assertFault(await capture("--yes"), 1, /capture\.json already exists\. Name another file/)
    assert.strictEqual(readFileSync(file, "utf8"), before)
    assert.deepStrictEqual(paths, [])
  })

  it("asks for nothing where its folder is not there", async () => {
    paths = []
    const nowhere = ["doctor", "--capture", join(folder, "nowhere", "capture.json"), "--yes"]
    assertFault(
      await cardlake(nowhere, { env: settings(proxy.url, home) }),
      1,
      /capture\.json cannot be written: its folder does not exist\. Create it first/
    )
    assert.deepStrictEqual(paths, [])
  })

  it("of a game that is not there, or where nothing answers, says what could not be read, and what to do", async () => {
    paths = []
    const unknown = await cardlake(["doctor", "--capture", join(folder, "strange.json"), "--yes", "--game", "nosuch"], {
      env: settings(proxy.url, home)
    })
    assert.strictEqual(unknown.code, 1)
    assert.match(unknown.stdout, /^BAD {2}products: it could not be read \(400 BAD_REQUEST: .*\)/m)
    assert.match(
      unknown.stdout,
      /^BAD {2}changelog: it could not be read \(400 GAME_NOT_FOUND: .*\)\. Check the game: /m
    )
    assert.strictEqual(paths.filter((path) => path.endsWith("changelog?limit=100")).length, 1)
    const dead = join(folder, "dead.json")
    const { code, stdout } = await cardlake(["doctor", "--capture", dead, "--yes"], {
      env: settings("http://127.0.0.1:9", home)
    })
    assert.strictEqual(code, 1)
    assert.match(stdout, /^BAD {2}games: it could not be read \(ECONNREFUSED\)\. Check CARDLAKE_URL and the network$/m)
    assert.include(stdout, `Written to ${dead}`)
    const tried = await cardlake(["dialect", dead, "--dialect", "spec"])
    assert.strictEqual(tried.code, 1)
    assert.match(tried.stdout, /^BAD {2}games: it could not be read \(ECONNREFUSED\)/m)
    assert.include(tried.stdout, "Unread parts were not tried.")
    assertFault(await cardlake(["dialect", dead]), 1, /Nothing to propose a mapping file for\. games: /)
    if (!isFull) return
    const served = startCardlake(["sandbox", "--from", dead])
    await served.shows("No night can be tried: the capture is incomplete")
    served.process.kill()
    assert.notInclude((await served.ended).stdout, "cardlake nightly")
  })

  it("takes --yes and --game for a capture alone", async () => {
    assertFault(await cardlake(["doctor", "--yes"]), 2, /Run: cardlake doctor --capture FILE/)
  })
})

describe("sandbox --from", () => {
  const serving = async (
    use: (url: string, description: ReadonlyArray<string>) => Promise<void>,
    change = (one: Capture) => one
  ) => {
    const scope = Scope.makeUnsafe()
    const served = await Effect.runPromise(Scope.provide(serveCapture({ capture: change(captured()), key }), scope))
    try {
      await use(served.url, served.description)
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
  const ask = async (url: string) => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(5000) })
    return { status: answer.status, limit: answer.headers.get("x-ratelimit-limit"), text: await answer.text() }
  }
  const night = async (url: string, via: string) => {
    const into = join(folder, via)
    const done = json(await cardlake(["nightly", "--json", "--via", via], { env: settings(url, into) }))
    return (done as { games: ReadonlyArray<object> }).games
  }

  it("says what it has, and publishes a night of that by either way", () =>
    serving(async (url, description) => {
      assert.include(description, "products: 200 of the 700 that it states; totals are cut to them")
      assert.include(description, "history: 503, as it was answered")
      const [byPages, ...others] = await night(url, "pages")
      assert.deepInclude(byPages, { gameId: game, verdict: "published", products: 200, refused: 0 })
      assert.strictEqual(others.length, 0)
      if (!isFull) return
      const [byFeeds] = await night(url, "feeds")
      assert.deepInclude(byFeeds, { verdict: "published", via: "feeds", products: 50, refused: 0 })
    }))

  it("answers with the error and the limits that it captured, and says of all else that it has none", () =>
    serving(async (url) => {
      const error = await ask(`${url}/v1/products/123`)
      assert.deepInclude(error, { status: 404, limit: "1000000", text: answerOf("error")?.body ?? "" })
      const sales = await ask(`${url}/v1/products/123/sales`)
      assert.strictEqual(sales.status, 404)
      assert.include(sales.text, `"code":"NOT_CAPTURED"`)
      assert.include(sales.text, "The capture has no answer to GET /v1/products/123/sales. It has games, products")
      assert.strictEqual((await fetch(`${url}/v1/games`)).status, 401)
      for (const path of ["products/%E0", "games/%/expansions", "feeds/%FF/changelog"])
        assert.strictEqual((await ask(`${url}/v1/${path}`)).status, 404, path)
      const first = await ask(`${url}/v1/feeds/${game}/changelog?limit=1`)
      assert.strictEqual((JSON.parse(first.text) as { data: ReadonlyArray<object> }).data.length, 1)
    }))

  it.runIf(isFull)("answers, or is no capture, whatever stands in place of a text", async () => {
    const whole = captured()
    const isShort = (body: string) => /^\{.{0,2000}$/.test(body)
    const answers = whole.answers
      .filter(({ part }) => !/sealed|lines|error/.test(part))
      .map((one) => Object.assign({}, one, { body: isShort(one.body) ? JSON.parse(one.body) : one.body }))
    const paths = ["games", `games/${game}/expansions?limit=200`, `feeds/${game}`, "products/1", "/", "/[", ""]
    const about = join(folder, "about.json")
    for (const { document, said } of hostileCases({ ...whole, answers }, join(folder, "escaped"), 30)) {
      const { answers: changed, ...others } = document as Record<string, unknown>
      const written = Array.isArray(changed)
        ? changed.map((one) => (typeof one?.body === "object" ? { ...one, body: JSON.stringify(one.body) } : one))
        : changed
      writeFileSync(about, JSON.stringify({ ...others, ...(changed === undefined ? {} : { answers: written }) }))
      const { code, stderr } = await cardlake(["dialect", about, "--dialect", "spec"])
      assert.oneOf(code, [0, 1], said)
      assert.notMatch(stderr, /\n\s+at .*:\d+/, said)
      const capture = Exit.getSuccess(await Effect.runPromiseExit(readCapture(about)))
      if (Option.isNone(capture)) continue
      await serving(
        async (url) => {
          for (const path of paths) assert.notStrictEqual((await ask(`${url}/v1/${path}`)).status, 500, said + path)
        },
        () => capture.value
      )
    }
    assert.isFalse(existsSync(join(folder, "escaped")))
  })

  it("refuses sizes of pages that were refused, as they were", () => {
    const body = `{"code":"BAD_REQUEST","status":400,"message":"limit: at most 100","data":{}}`
    const refuse = (one: Capture): Capture => ({
      ...one,
      answers: one.answers.flatMap((answer) =>
        answer.part === "expansions"
          ? [
              { ...answer, status: 400, body },
              { ...answer, request: answer.request.replace("limit=200", "limit=100") }
            ]
          : [answer]
      )
    })
    return serving(async (url) => {
      const expansions = `${url}/v1/games/${game}/expansions?offset=0`
      assert.deepInclude(await ask(`${expansions}&limit=200`), { status: 400, text: body })
      assert.deepInclude(await ask(`${expansions}&limit=100`), { status: 200 })
    }, refuse)
  })

  it("says of a file that is no capture what it is, and goes with no other catalogue", async () => {
    const other = join(folder, "other.json")
    writeFileSync(other, `{"cardlakeCapture":2}`)
    assertFault(
      await cardlake(["sandbox", "--from", other]),
      1,
      /other\.json is not a capture .*cardlake doctor --capture FILE/
    )
    assertFault(await cardlake(["sandbox", "--from", file, "--odd"]), 2, /Leave out --odd/)
  })
})
