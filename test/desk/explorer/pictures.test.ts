import { shared, suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { serveExplorer } from "../../../src/desk/explorer/serveExplorer.ts"
import { pictureCache } from "../../../src/desk/explorer/pictures/Pictures.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { emptyHome, publishNights } from "../../store/lake/handMadeNights.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { temporaryFolder } from "../../warehouse/FourNights.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
const jpeg = Buffer.from("ffd8ffe000104a46", "hex")
const webp = Buffer.concat([Buffer.from("RIFF"), Buffer.from([1, 0, 0, 0]), Buffer.from("WEBPVP8 ")])
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

/** A host of pictures, which says of each card's what its name says. */
const startHost = Effect.acquireRelease(
  Effect.promise(async () => {
    const received: Array<{ readonly path: string; readonly headers: IncomingHttpHeaders }> = []
    const server = createServer((request, response) => {
      const path = request.url ?? ""
      received.push({ path, headers: request.headers })
      const bodies: Readonly<Record<string, Buffer>> = { "/1": png, "/2": jpeg, "/3": webp, "/4": svg, "/8": png }
      if (path === "/5") response.writeHead(302, { location: "https://10.0.0.1/inner.png" }).end()
      else if (path === "/6") response.end(Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]))
      else if (path === "/7") response.writeHead(404).end("gone")
      else
        response.writeHead(200, { "content-type": "image/svg+xml", "set-cookie": "a=b" }).end(bodies[path] ?? "<html>")
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { server, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)

const Shown = shared("Shown", function* () {
  const { received, url: host } = yield* startHost
  const links = Array.from({ length: 8 }, (_, place) => `${host}/${place + 1}`)
  const products = [
    ...links.map((imageUrl, place) => card(place + 1, { imageUrl })),
    card(9, { imageUrl: "https://192.168.1.1/inner.png" }),
    card(10, { imageUrl: "http://example.com/plain.png" }),
    card(11)
  ]
  yield* Effect.scoped(publishNights([{ products }]))
  // The host is the marketplace's own: it is on this machine, as a sandbox is.
  const settings = ConfigProvider.fromUnknown({ CARDLAKE_URL: host, CARDLAKE_API_KEY: "cl_live_secret" })
  const serving = serveExplorer({ port: 0, hasPictures: true, program: "npx cardlake" })
  const url = yield* Effect.provideService(serving, ConfigProvider.ConfigProvider, settings)
  return { url, plain: yield* serveExplorer({ port: 0 }), own: (yield* Home).own, received }
})

const pictureOf = (id: number, game: string = gameId) =>
  Effect.flatMap(Shown, ({ url }) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/pictures/games/${game}/products/${id}`)
      return {
        status: response.status,
        type: response.headers.get("content-type"),
        bytes: Buffer.from(await response.arrayBuffer())
      }
    })
  )

suite(Layer.provide(Shown.layer, emptyHome), "pictures", (it) => {
  const kinds: ReadonlyArray<readonly [id: number, type: string, bytes: Uint8Array]> = [
    [1, "image/png", png],
    [2, "image/jpeg", jpeg],
    [3, "image/webp", webp]
  ]
  for (const [id, type, bytes] of kinds) {
    it(`are ${type} by their bytes, whatever the host says`, () =>
      Effect.map(pictureOf(id), (found) =>
        assert.deepStrictEqual({ ...found, bytes: [...found.bytes] }, { status: 200, type, bytes: [...bytes] })
      ))
  }

  const refused: ReadonlyArray<readonly [id: number, what: string]> = [
    [4, "an SVG"],
    [5, "a redirect to a private address"],
    [6, "more than five megabytes"],
    [7, "an answer of 404"],
    [9, "a link to a private address"],
    [10, "a link without https"],
    [11, "no link"],
    [404, "no product"]
  ]
  for (const [id, what] of refused) {
    it(`are a placeholder for ${what}`, () =>
      Effect.map(pictureOf(id), ({ bytes, status, type }) => {
        assert.deepStrictEqual([status, type], [404, "image/svg+xml; charset=utf-8"])
        assert.notInclude(bytes.toString("utf8"), "script")
      }))
  }

  it("are not there under an address that is no text", () =>
    Effect.map(pictureOf(1, "%E0%A4"), ({ status }) => assert.strictEqual(status, 404)))

  it("are fetched once, without a key or a cookie, and kept below the home", function* () {
    const { received, own } = yield* Shown
    yield* pictureOf(8)
    yield* pictureOf(8)
    const requests = received.filter(({ path }) => path === "/8")
    assert.lengthOf(requests, 1)
    for (const { headers } of received) {
      assert.notProperty(headers, "authorization")
      assert.notProperty(headers, "cookie")
      assert.notInclude(JSON.stringify(headers), "cl_live_secret")
    }
    assert.isAbove(readdirSync(join(own, "pictures")).length, 0)
  })

  it("that gave none are not asked for again at once", function* () {
    const { received } = yield* Shown
    yield* pictureOf(7)
    yield* pictureOf(7)
    assert.lengthOf(
      received.filter(({ path }) => path === "/7"),
      1
    )
  })

  it("are in lists and on a product's page where they are asked for, from this server alone", function* () {
    const { plain, url } = yield* Shown
    const read = (from: string, path: string) => Effect.promise(async () => (await fetch(from + path)).text())
    for (const path of [`/games/${gameId}/products/1`, "/search?q=Wicker+Hound"]) {
      const shown = yield* read(url, path)
      assert.include(shown, `src="/pictures/games/${gameId}/products/1"`)
      assert.notMatch(shown, /<img[^>]+src="http/)
      const without = yield* read(plain, path)
      assert.notInclude(without, "<img")
      assert.notInclude(without, "<!--picture")
    }
    const status = yield* Effect.promise(
      async () => (await fetch(`${plain}/pictures/games/${gameId}/products/1`)).status
    )
    assert.strictEqual(status, 404)
  })

  it("and commands: those of a page begin as the program was started", function* () {
    const { plain, url } = yield* Shown
    const own = (from: string) => Effect.promise(async () => (await fetch(`${from}/own`)).text())
    assert.include(yield* own(url), '<code class="command">npx cardlake collection import FILE --home')
    assert.include(yield* own(plain), '<code class="command">cardlake collection import FILE --home')
  })

  it("take no more room than their bound: those not shown for longest go", function* () {
    const folder = yield* temporaryFolder
    writeFileSync(join(folder, "holiday.jpg"), Buffer.alloc(500))
    const cache = pictureCache(folder, 100)
    for (let place = 0; place < 20; place++) {
      yield* Effect.promise(() => cache.keep(`link ${place}`, Buffer.alloc(10, place)))
      yield* Effect.promise(() => setTimeout(4))
      // The first one is looked at again and again.
      yield* Effect.promise(() => cache.read("link 0"))
    }
    // What somebody else put there stays, and does not count.
    assert.isTrue(existsSync(join(folder, "holiday.jpg")))
    assert.isAtMost(readdirSync(folder).length, 11)
    assert.isNotNull(yield* Effect.promise(() => cache.read("link 0")))
    assert.isNull(yield* Effect.promise(() => cache.read("link 1")))
  })
})
