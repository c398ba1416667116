import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { extractFeeds } from "../../../src/feed/reading/feeds/extractFeeds.ts"
import { listen, quickPolicy, sendError } from "../../feed/client/StrangeServer.ts"
import { idOf, gameId } from "../../store/lake/invented.ts"
import { homeBy, day, files, servedDays } from "./bothVias.ts"
import { tried } from "../../tried.ts"
import { live } from "../../support/suite.ts"

type Feeds = Record<string, Record<string, unknown>>
type Served = Effect.Success<ReturnType<typeof servedDays>>
type Way = (response: ServerResponse, feeds: Feeds) => void

const says =
  (body: string, status = 200, headers = {}): Way =>
  (response) =>
    void response.writeHead(status, headers).end(body)
/** What is said of the catalogue, with one thing changed; undefined: the service does not say it. */
const told =
  (key: string, value: unknown): Way =>
  (response, feeds) =>
    void response.end(JSON.stringify({ ...feeds, catalog: { ...feeds["catalog"], [key]: value } }))
const refuses =
  (status: number, code: string, data = {}, headers = {}): Way =>
  (response) =>
    sendError(response, status, code, data, headers)

/** A marketplace that has something else to say of the feed files of its game. */
const sayingOtherwise = Effect.fnUntraced(function* ({ sandbox }: Served, way: Way) {
  const answer = async (path: string, body: string, headers: Record<string, string>, response: ServerResponse) => {
    const asked = body === "" ? { headers } : { headers, body, method: "POST" }
    const answered = await fetch(sandbox.origin + path, asked)
    if (path === files) return way(response, (await answered.json()) as Feeds)
    response.writeHead(answered.status).end(await answered.text())
  }
  const { settings } = yield* listen(({ body, headers, path, query }, response) => {
    const kept = { authorization: String(headers["authorization"]), "content-type": "application/json" }
    void answer(query.size === 0 ? path : `${path}?${query}`, body, kept, response)
  })
  return { key: sandbox.key, url: settings.CARDLAKE_URL }
})

const policy = { ...quickPolicy, timeoutMillis: 5000, maxBackoffMillis: 2, times: 2, rateTimes: 2 }
const quickly = Effect.provideService(RetryPolicy, policy)

const ways: Readonly<Record<string, Way>> = {
  "a page of HTML": says("<!doctype html><p>moved"),
  "other JSON": says("[]"),
  "no document": says("null"),
  "cut JSON": says('{"catalog":{'),
  nothing: says(""),
  "another encoding": says("x", 200, { "content-encoding": "br" }),
  "a redirect": says("", 302, { location: "https://files.example/feeds" }),
  "no answer": (response) => response.destroy(),
  "a refusal": refuses(400, "BAD_REQUEST"),
  "a refusal of the scope": refuses(403, "FORBIDDEN", { required: ["feeds:read"], granted: [] }),
  "a fault of the service": refuses(500, "INTERNAL_ERROR"),
  "a limit for hours": refuses(429, "RATE_LIMITED", { bucket: "feeds" }, { "retry-after": "72000" }),
  "no link": told("url", undefined),
  "no checksum": told("checksum", "md5:1"),
  "no size": told("sizeBytes", "large"),
  "no count": told("recordCount", -1),
  "an impossible size": told("sizeBytes", Number.MAX_SAFE_INTEGER),
  "an impossible count": told("recordCount", Number.MAX_SAFE_INTEGER),
  "no time": told("generatedAt", undefined),
  "a file that is none": told("url", 7),
  "a link that is none": told("url", "nowhere"),
  "a link of another kind": told("url", "ftp://files.example/a"),
  "a link into a private network": told("url", "https://[::7f00:1]/a"),
  "a link to nothing": told("url", "http://127.0.0.1:1/a")
}

live(
  "whatever makes what is said of feed files of no use is a fault of the way of reading, and says how to go on",
  function* () {
    const served = yield* servedDays([day(10)])
    for (const [what, way] of tried(Object.entries(ways), (_, nth) => nth % 3 === 0)) {
      const { home, inHome } = yield* homeBy(yield* sayingOtherwise(served, way), "feeds")
      const error = yield* Effect.gen(function* () {
        const games = yield* (yield* Marketplace).games
        const of = { gameId, runId: idOf("r1"), folder: join(home, "r1"), games, published: null, resume: null }
        const none = { dialect: null, batches: null, takesOld: true, onUnshown: () => {}, onProgress: () => {} }
        return yield* Effect.flip(extractFeeds({ ...of, ...none }))
      }).pipe(inHome, quickly)
      const isOfLink = what.startsWith("a link")
      assert.strictEqual(error._tag, isOfLink ? "FeedFailed" : "FeedsUnknown", what)
      assert.match(error.message, /cannot be used.*cardlake nightly --via pages/, what)
    }
  }
)

live(
  "auto then goes page by page and says why, feeds fails with the cause, and no way of reading helps a wrong key",
  function* () {
    const served = yield* servedDays([day(10)])
    const readBy = Effect.fnUntraced(function* (via: "auto" | "feeds", way: Way) {
      const { night } = yield* homeBy(yield* sayingOtherwise(served, way), via)
      return (yield* quickly(night())).games[0]
    })
    const html = says("<!doctype html><p>moved")
    const byAuto = yield* readBy("auto", html)
    assert.deepInclude(byAuto, { verdict: "published", via: "pages", products: 6 })
    assert.match(byAuto?.viaReason ?? "", /about the feed files of .* cannot be used\. .* it answers HTML/)
    const byFeeds = yield* readBy("feeds", html)
    assert.strictEqual(byFeeds?.verdict, "failed")
    assert.match(byFeeds?.reason ?? "", /it answers HTML/)
    const refused = yield* readBy("auto", refuses(401, "UNAUTHORIZED"))
    assert.strictEqual(refused?.verdict, "failed")
    assert.match(refused?.reason ?? "", /refused the API key/)
  }
)
