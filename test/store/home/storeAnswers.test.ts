import { afterAll, assert, it, describe } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { setTimeout } from "node:timers/promises"
import { swapDocument } from "../../../src/store/home/bucket/budget/bucketBudgets.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import type { KeyDocument } from "../../../src/store/home/bucket/budget/keyDocument.ts"
import { checkStore } from "../../../src/store/home/bucket/homeAround.ts"
import { effect } from "../../support/suite.ts"
import { withVariables } from "../../warehouse/Store.ts"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { isFull, tried } from "../../tried.ts"
import { type Before, startConditionalStore, useStore } from "./conditionalStore.ts"
import { repricedGame } from "../lake/invented.ts"
import { address, bucketHere, said } from "./tinyBucket.ts"

describe("answers of a store", async () => {
  const store = await startConditionalStore()
  afterAll(store.stop)

  const refusals: ReadonlyArray<readonly [status: number, code: string, next: RegExp]> = [
    [404, "XAdminUserNotFound", /Check AWS_ACCESS_KEY_ID .*AWS_ENDPOINT_URL_S3/],
    [403, "InvalidAccessKeyId", /Check AWS_ACCESS_KEY_ID .*AWS_ENDPOINT_URL_S3/],
    [403, "SignatureDoesNotMatch", /Check AWS_SECRET_ACCESS_KEY/],
    [400, "InvalidBucketName", /Correct the name of the bucket, which follows s3:\/\//],
    [404, "NoSuchBucket", /Create the bucket, or check its name/],
    [403, "AccessDenied", /Allow s3:GetObject/],
    [400, "ExpiredToken", /Renew AWS_SESSION_TOKEN/],
    [400, "InvalidToken", /Renew AWS_SESSION_TOKEN/],
    [403, "AccountProblem", /Check the keys or the profile/],
    [301, "PermanentRedirect", /Set AWS_REGION/],
    [400, "AuthorizationHeaderMalformed", /Set AWS_REGION/],
    [403, "RequestTimeTooSkewed", /The clock of this machine/],
    [400, "KMS.NotFoundException", /CARDLAKE_S3_ENCRYPTION/],
    [400, "InvalidArgument", /The store rejects such a request\. Check AWS_ENDPOINT_URL_S3, AWS_REGION/],
    [405, "MethodNotAllowed", /The store rejects such a request\. Check AWS_ENDPOINT_URL_S3, AWS_REGION/],
    [403, "SomethingNew", /Check the keys and their permissions there/],
    [403, "QuotaExceeded", /Free space in the store/]
  ]
  const few = new Set(["XAdminUserNotFound", "InvalidBucketName", "InvalidArgument"])
  for (const [status, code, next] of tried(refusals, ([, code]) => few.has(code)))
    it(`the answer ${status} ${code} of a store names what to set, and is not to be tried again, at once or later`, async () => {
      let asked = 0
      store.state.before = (_, response) => {
        asked++
        response
          .writeHead(status, { "content-type": "application/xml" })
          .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>quoted</Message></Error>`)
        return true
      }
      const ended = await cardlake(["runs", "--home", "s3://lakes/tiny"], { env: store.env, hasShortWaits: true })
      assertFault(ended, 1, next)
      assert.include(ended.stderr, `failed: the store answered ${status} (${code}).`)
      assert.notMatch(ended.stderr, / later|quoted/)
      assert.strictEqual(asked, 1)
    })

  for (const [status, code] of tried([[503, "SlowDown"] as const], () => false))
    it(`the answer ${status} ${code} of a store is to be asked again later`, async () => {
      store.state.before = (_, response) => {
        response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`)
        return true
      }
      const ended = await cardlake(["runs", "--home", "s3://lakes/tiny"], { env: store.env, hasShortWaits: true })
      assertFault(ended, 1, /the store answered 503 \(SlowDown\)\. Run this again later/)
    })

  const unset = /failed: no region is set\. Set AWS_REGION, such as eu-central-1/
  for (const [name, value, says] of [
    ["AWS_REGION", undefined, unset],
    ["AWS_REGION", "", unset],
    ["AWS_REGION", "eu central", /failed: the region is not a valid name\. Set AWS_REGION/],
    [
      "AWS_ACCESS_KEY_ID",
      undefined,
      /failed: no usable key was found\. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, /
    ]
  ] as const)
    it(`says what is wrong with ${name} ${value === undefined ? "that is not set" : `"${value}"`}`, async () => {
      const { [name]: _, ...env } = store.env
      store.state.before = () => false
      const others = {
        AWS_CONFIG_FILE: "/nowhere",
        AWS_SHARED_CREDENTIALS_FILE: "/nowhere",
        AWS_EC2_METADATA_DISABLED: "true"
      }
      const ended = await cardlake(["runs", "--home", "s3://lakes/tiny"], {
        env: { ...env, ...others, ...(value === undefined ? {} : { [name]: value }) },
        hasShortWaits: true
      })
      assertFault(ended, 1, says)
    })

  const probed = (before: Before) => {
    store.state.before = before
    store.objects.clear()
    return useStore(store.env, "s3://lakes/probed", (opened) => Effect.map(checkStore(opened), (is) => is.atMillis))
  }

  it("a write that the store answers with 409 is sent again before the store is judged", async () => {
    const seen = new Set<string>()
    const millis = await probed(({ headers, method }, response) => {
      const condition = `${headers["if-match"]} ${headers["if-none-match"]}`
      if (method !== "PUT" || seen.has(condition)) return false
      seen.add(condition)
      response.writeHead(409).end("<Error><Code>ConditionalRequestConflict</Code></Error>")
      return true
    })
    assert.lengthOf([...seen], 3)
    assert.closeTo(millis, Date.now(), 5000)
  })

  it("a store is refused if it forgets either condition, and is not tried again within a week", async () => {
    const check = (forgets?: string, checked?: { readonly store: string; readonly atMillis: number }) => {
      store.state.requests.length = 0
      store.state.before = ({ headers }) => {
        if (forgets !== undefined) delete headers[forgets]
        return false
      }
      return useStore(store.env, "s3://lakes/checked", (opened) =>
        Effect.andThen(opened.first(""), checkStore(opened, checked))
      )
    }
    const checked = await check()
    const before = [...store.objects]
    await check(undefined, checked)
    assert.lengthOf(store.state.requests, 1)
    for (const other of [
      { ...checked, store: "Another" },
      { ...checked, atMillis: checked.atMillis - 8 * 86_400_000 }
    ]) {
      await check(undefined, other)
      assert.lengthOf(store.state.requests, 8)
    }
    for (const [forgets, says] of [
      ["if-none-match", "creates an object that already exists"],
      ["if-match", "replaces an object although the writer names another version"]
    ] as const) {
      const answer = await check(forgets).then(String, String)
      assert.include(answer, says)
    }
    assert.deepStrictEqual(
      [...store.objects].map(([key, { tag }]) => `${key} ${tag}`),
      before.map(([key, { tag }]) => `${key} ${tag}`)
    )
  })

  // The seventh removes what it wrote.
  for (const lost of [1, 2, 3, 4, 5, 6])
    it(`an answer that is lost, the check's number ${lost}, is asked for again`, async () => {
      let asked = 0
      const millis = await probed((request, response, body) => {
        if (++asked !== lost) return false
        store.answer(request, { ...response, writeHead: () => ({ end: () => {} }) } as never, body)
        request.socket.destroy()
        return true
      })
      assert.closeTo(millis, Date.now(), 5000)
    })

  const unspent: KeyDocument = { format: 1, since: null, heldUntil: 0, workers: {}, limits: {}, facts: [] }

  effect("whoever waits ten seconds because others write a document says so, once, and goes on", () =>
    Effect.gen(function* () {
      yield* withVariables(store.env)
      const opened = yield* openStore("s3://lakes/busy")
      const told: Array<string> = []
      let refused = 0
      store.state.before = ({ method }, response) => {
        if (method !== "PUT" || refused === 12) return false
        refused++
        response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>")
        return true
      }
      const swap = swapDocument(opened, "keys/a.json", () => Effect.succeed(unspent), Effect.fail).pipe(
        Effect.provide(Logger.layer([Logger.make(({ message }) => void told.push(String(message)))]))
      )
      const swapping = yield* Effect.forkChild(swap)
      for (let steps = 0; steps < 500 && swapping.pollUnsafe() === undefined; steps++) {
        yield* TestClock.adjust("200 millis")
        yield* Effect.promise(() => setTimeout(5))
      }
      assert.deepStrictEqual((yield* Fiber.join(swapping)).there?.limits, {})
      assert.deepStrictEqual(told, ["Other runs are writing s3://lakes/busy/keys/a.json. Retrying for two minutes"])
    }).pipe(Effect.provideService(BucketSettings, { pathStyle: true, encryption: {} }), Effect.scoped)
  )
})

describe("a store that dies", async () => {
  const patience = 3000
  const games = ["agate", "beryl"]

  let diesAt = 0
  /** From the first such request on, nobody is answered. */
  const dying = (isNow: (request: string) => boolean, forMillis = Infinity) => {
    diesAt = Infinity
    tiny.store.state.before = ({ method, socket, url }) => {
      if (diesAt === Infinity && isNow(`${method} ${url}`)) diesAt = performance.now()
      if (performance.now() < diesAt || performance.now() > diesAt + forMillis) return false
      socket.destroy()
      return true
    }
  }
  /** The list of games was asked for by then. */
  const isLease = (number: number) => (request: string) => request.startsWith("PUT /lakes/tiny/keys/") && --number === 0
  const night = (...more: ReadonlyArray<string>) =>
    cardlake(["nightly", ...more], { env: tiny.env(address), hasShortWaits: true, storePatienceMillis: patience })

  const tiny = await bucketHere(Object.fromEntries(games.map((gameId) => [gameId, repricedGame(gameId, { days: 1 })])))

  const lines = (stderr: string) =>
    stderr
      .split("\n")
      .map((line) => line.replace(/^\S+Z (?=cardlake:)/, ""))
      .filter((line) => line.startsWith("cardlake:"))
  const waiting = /^cardlake: The store of s3:\/\/lakes\/tiny does not answer\. Retrying for 3 s$/
  const ended =
    /^cardlake: Wait for the store of s3:\/\/lakes\/tiny failed: it has not answered for 3 s \([\w ]+\)\. Published data is safe, .* run this again$/

  it("a store that dies for good while games are read ends the night once, not once for each game", async () => {
    dying(isLease(2))
    const { code, stderr, stdout } = await night("--json")
    assert.isBelow(performance.now() - diesAt, 2.5 * patience)
    assert.strictEqual(code, 1, stderr)
    assert.deepStrictEqual(
      said({ stdout }),
      games.map((gameId) => `${gameId} failed`)
    )
    const [first = "", last = "", ...more] = lines(stderr)
    assert.match(first, waiting)
    assert.match(last, ended)
    assert.deepStrictEqual(more, [])
  })

  it.runIf(isFull)(
    "a store that dies for good while a night is put into it leaves a verdict: none of it is published",
    async () => {
      const writes = ["PUT /lakes/tiny/lake/", "PUT /lakes/tiny/games/"]
      for (const written of writes) {
        dying((request) => request.startsWith(written))
        const { code, stderr, stdout } = await night()
        assert.isBelow(performance.now() - diesAt, 2.5 * patience)
        assert.strictEqual(code, 1, stderr)
        for (const gameId of games) assert.match(stdout, new RegExp(`^${gameId} +failed`, "m"))
        const [first = "", last = "", ...more] = lines(stderr)
        assert.match(first, waiting)
        assert.match(last, ended)
        assert.deepStrictEqual(more, [])
      }
    }
  )

  it("a store that is away for a while is waited for", async () => {
    // A lease, the report, a game's files, its document, the lake's.
    const requests = [
      /^PUT .*\/lake\/objects\//,
      /^PUT .*\/games\/beryl\//,
      /^PUT .*\/beryl\/commits\//,
      /^PUT .*\/lake\/commits\//
    ]
    const moments = [isLease(2), ...requests.map((each) => (request: string) => each.test(request))]
    for (const isNow of tried(moments, (_, index) => index === 4)) {
      tiny.store.objects.clear()
      dying(isNow, patience / 2)
      const { code, stderr, stdout } = await night("--json")
      assert.strictEqual(code, 0, stderr)
      assert.isBelow(diesAt, Infinity)
      assert.deepStrictEqual(
        said({ stdout }),
        games.map((gameId) => `${gameId} published`)
      )
    }
  })
})
