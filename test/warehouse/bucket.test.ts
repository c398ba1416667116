import { failureOf } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { exportTo, FourNights, fourNights } from "./FourNights.ts"
import { asFiles, killRequests } from "./killedRequests.ts"
import { bucket, startStore } from "./Store.ts"

const place = `s3://${bucket}/some/place`

fourNights("a drop in a bucket", (it) => {
  it.home(
    "has the files of one in a folder; a second export reads a document a game and two more, and writes nothing",
    function* () {
      const { drop } = yield* FourNights
      const store = yield* startStore
      const run = exportTo(place, { tables: ["products", "nights"] })
      yield* run
      const files = globSync("{products,nights}/**/part-00000.parquet", { cwd: drop })
      assert.lengthOf(files, 8)
      for (const file of files) {
        const stored = join(store.directory, bucket, "some/place", `${file}._S3rver_object`)
        assert.isTrue(readFileSync(stored).equals(readFileSync(join(drop, file))), file)
      }
      const order = store.state.requests.filter((request) => request.includes("PUT") && request.includes("2026-05-04"))
      const names = order.map((request) => /\/([^/?]+)\?/.exec(request)?.[1])
      const partition = ["part-00000.parquet", "_manifest.json", "_SUCCESS"]
      assert.deepStrictEqual(names, [...partition, ...partition])
      store.state.requests.length = 0
      yield* run
      assert.deepStrictEqual(
        store.state.requests
          .filter((request) => !/contract\.(json|yaml)/.test(request))
          .map((one) => one.split("?")[0]),
        [
          `GET /${bucket}/some/place/drop.json`,
          `GET /${bucket}/some/place/_state/hollowmere.json`,
          `GET /${bucket}/some/place/_strays.json`
        ]
      )
      const verified = yield* verifyDrop(place)
      assert.deepInclude(verified, { partitions: 8, faults: [] })
    }
  )

  it.home("survives answers of 500 and 503", function* () {
    const store = yield* startStore
    let requests = 0
    store.state.before = (_, response) => {
      requests++
      if (requests % 3 !== 0) return false
      response.writeHead(requests % 2 === 0 ? 500 : 503).end()
      return true
    }
    yield* exportTo(place, { tables: ["nights"] })
    store.state.before = () => false
    const verified = yield* verifyDrop(place)
    assert.deepInclude(verified, { partitions: 4, faults: [] })
  })

  it.home(
    "is begun by one export: if the store supports conditional writes, a second one at that time writes nothing",
    function* () {
      const store = yield* startStore
      const run = exportTo(place, { tables: ["nights"] })
      const conditional: Array<string> = []
      const answering = (status: number) => (request: IncomingMessage, response: ServerResponse) => {
        if (request.headers["if-none-match"] !== "*") return false
        conditional.push(String(request.url).split("?")[0] ?? "")
        response.writeHead(status).end()
        return true
      }
      store.state.before = answering(412)
      const refused = yield* failureOf(run)
      assert.match(refused, /^DropClaimed: Another export is writing hollowmere to s3:.* run again: cardlake export/)
      assert.notInclude(store.state.requests.join(" "), "parquet")
      store.state.before = answering(501)
      yield* run
      assert.deepStrictEqual([...new Set(conditional)], [`/${bucket}/some/place/_state/hollowmere.json`])
      store.state.before = () => false
      assert.deepInclude(yield* verifyDrop(place), { partitions: 4, faults: [] })
    }
  )

  it.home.full(
    "is begun by the export whose claim was stored, even if the answer was lost and it had to ask again",
    function* () {
      const store = yield* startStore
      let claims = 0
      store.state.before = (request, response) => {
        if (request.headers["if-none-match"] !== "*") return false
        if (claims++ > 0) {
          response.writeHead(412).end()
          return true
        }
        response.end = () => {
          request.socket.destroy()
          return response
        }
        return false
      }
      yield* exportTo(place, { tables: ["nights"] })
      assert.strictEqual(claims, 2)
      assert.deepInclude(yield* verifyDrop(place), { partitions: 4, faults: [] })
    }
  )

  it.home("is begun by only one of two exports that send the same claim at the same moment", function* () {
    const store = yield* startStore
    const both = Promise.withResolvers<void>()
    const stored = Promise.withResolvers<void>()
    let claims = 0
    store.state.before = async (request, response) => {
      if (request.headers["if-none-match"] !== "*") return false
      if (claims++ === 0) {
        response.once("finish", () => stored.resolve())
        await both.promise
        return false
      }
      both.resolve()
      await stored.promise
      response.writeHead(412).end()
      return true
    }
    const run = failureOf(exportTo(place, { tables: ["nights"] }))
    const ends = yield* Effect.all([run, run], { concurrency: 2 })
    assert.deepStrictEqual(ends.map((end) => end.split(":")[0]).sort(), ["DropClaimed", "done"])
    assert.deepInclude(yield* verifyDrop(place), { partitions: 4, faults: [] })
  })

  it.home(
    "says in a sentence what is wrong with the bucket, the key or the address, and shows no secret",
    function* () {
      yield* startStore
      const failing = (to: string) => failureOf(exportTo(to, { tables: ["nights"] }))
      assert.match(
        yield* failing("s3://nowhere/x"),
        /^DestinationFailed: Read s3:\/\/nowhere\/x\/drop\.json failed: the store answered 404 \(NoSuchBucket\)\. Create the bucket/
      )
      process.env["AWS_SECRET_ACCESS_KEY"] = "not-the-secret-4711"
      const refused = yield* failing(place)
      assert.match(
        refused,
        /the store answered 403 \(SignatureDoesNotMatch\)\. The secret does not match the access key\. Check AWS_SECRET_ACCESS_KEY/
      )
      assert.notInclude(refused, "4711")
      process.env["AWS_ENDPOINT_URL_S3"] = "http://127.0.0.1:9"
      assert.match(yield* failing(place), /\(?ECONNREFUSED\)?\. Check AWS_ENDPOINT_URL_S3 and the network/)
      assert.match(yield* failing("s3://"), /it names no bucket\. Pass it as s3:\/\/bucket\/prefix/)
      const withKey = yield* failing("s3://AKIA4711:s3cr3t/4711@drops/x")
      assert.match(withKey, /^DestinationFailed: Open the bucket failed: .* Keys do not belong in it/)
      assert.notMatch(withKey, /4711|s3cr3t/)
    }
  )

  it.home(
    "is never half written: an export that dies at a request leaves the earlier or the new partitions",
    function* () {
      const manifest = "PUT /drops/lake/products/v%3D1/game%3Dhollowmere/dt%3D2026-05-03/_manifest.json"
      assert.strictEqual(yield* killRequests(asFiles, [manifest]), 1)
    }
  )
})
