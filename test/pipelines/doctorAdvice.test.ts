import { effect, testIn, newFolder } from "../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Console, Duration, Effect } from "effect"
import { readdirSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { showWhenDone } from "../../pipelines/lake/Finding.ts"
import { examine } from "../../pipelines/lake/examine.ts"
import { listen, sendError, sendJson } from "../feed/client/StrangeServer.ts"
import { assertFault, cardlake, startCardlake } from "./cli.ts"

describe("doctor", () => {
  for (const [name, status, code] of [
    ["refuses the key", 401, "UNAUTHORIZED"],
    ["forbids the account", 403, "API_ACCESS_DISABLED"],
    ["knows nothing at the address", 404, "NOT_FOUND"],
    ["lists no games", 200, ""]
  ] as const) {
    testIn(NodeServices.layer)(`does not advise running doctor where the marketplace ${name}`, function* () {
      const { settings } = yield* listen((_, response) =>
        status === 200 ? sendJson(response, { data: [] }) : sendError(response, status, code)
      )
      const home = yield* newFolder
      const findings = yield* examine({ ...settings, CARDLAKE_HOME: home }, Duration.hours(36))
      const bad = findings.filter(({ ok }) => !ok)
      assert.isAbove(bad.length, 0)
      for (const { says } of bad) {
        assert.notInclude(says, "cardlake doctor")
        assert.match(says, /[^:;,.]$/)
      }
    })
  }
  testIn(NodeServices.layer)("makes no home where none is, and of an empty folder neither", function* () {
    const folder = yield* newFolder
    const says = (home: string) =>
      Effect.map(examine({ CARDLAKE_HOME: home }, Duration.hours(36)), (findings) =>
        findings.filter(({ name }) => name === "home")
      )
    assert.deepStrictEqual(yield* says(join(folder, "not", "yet")), [
      {
        name: "home",
        ok: true,
        isDoubt: true,
        says: `${folder}/not/yet is writable, but does not exist yet: the first night creates it. If there should be one, check --home and CARDLAKE_HOME`
      }
    ])
    assert.deepStrictEqual(yield* says(folder), [
      { name: "home", ok: true, says: `${folder} is writable, and empty: the first night makes it a home` }
    ])
    assert.deepStrictEqual(readdirSync(folder), [])
    const repaired = yield* Effect.promise(() => cardlake(["doctor", "--repair", "--home", join(folder, "typo")]))
    assertFault(
      repaired,
      1,
      /^cardlake: There is no lake in .*typo yet\. Make one with: cardlake nightly --home .*typo;/
    )
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("names every setting that is wrong, not only the first", async () => {
    const env = {
      CARDLAKE_URL: "ftp://marketplace.test",
      CARDLAKE_API_KEY: "two words",
      CARDLAKE_AT_MOST: "soon",
      CARDLAKE_HOLD_REMOVED: "lots",
      CARDLAKE_HOLD_COVERAGE__TIDEWRACK: "20 %",
      CARDLAKE_NOTIFY: "somewhere",
      CARDLAKE_S3_PATH_STYLE: "perhaps",
      CARDLAKE_S3_ENCRYPTION: "rot13",
      HTTPS_PROXY: "socks5://127.0.0.1:1",
      CARDLAKE_HOME: "~/lake"
    }
    const { code, stdout } = await cardlake(["doctor", "--json"], { env })
    assert.strictEqual(code, 1)
    const findings = JSON.parse(stdout) as ReadonlyArray<{ name: string; ok: boolean; says: string }>
    const bad = findings.filter(({ name, ok }) => !ok && (name === "settings" || name === "home"))
    const named = bad.map(({ says }) => /[A-Z0-9]+(?:_+[A-Z0-9]+)+/.exec(says)?.[0])
    assert.sameMembers(named, Object.keys(env))
    for (const { says } of bad) assert.notInclude(says, "cardlake doctor")
  })

  testIn(NodeServices.layer)("prints each check as it ends", function* () {
    const list = { data: [{ id: "fable", name: "Fable" }] }
    const empty = { data: [], pagination: { offset: 0, limit: 200, total: 0, hasMore: false } }
    const { promise: first, resolve } = Promise.withResolvers<ServerResponse>()
    const { settings } = yield* listen(({ count }, response) =>
      count === 0 ? resolve(response) : sendJson(response, empty)
    )
    const doctor = startCardlake(["doctor", "--home", yield* newFolder], { env: settings })
    // Until then the marketplace does not answer.
    yield* Effect.promise(() => doctor.shows("ok   settings     The marketplace is http://127.0.0.1"))
    sendJson(yield* Effect.promise(() => first), list)
    const { code, stdout } = yield* Effect.promise(() => doctor.ended)
    assert.strictEqual(code, 0)
    assert.include(stdout, "ok   marketplace  The key is accepted; 1 game: fable")
  })

  effect("prints a fault that stops several checks once, and which checks it stops", function* () {
    const lines: Array<string> = []
    const { end, watch } = showWhenDone(false)
    const check = (name: string, ok: boolean, says: string) => watch(name)(Effect.succeed([{ name, ok, says }]))
    const checks = [
      check("files", false, "current.json is damaged"),
      check("held", true, "No game is held"),
      check("age", false, "current.json is damaged"),
      check("feed", false, "current.json is damaged"),
      end
    ]
    yield* Effect.all(checks).pipe(
      Effect.provideService(Console.Console, {
        ...globalThis.console,
        log: (line: unknown) => void lines.push(String(line))
      })
    )
    assert.deepStrictEqual(lines, [
      "BAD  files        current.json is damaged",
      "ok   held         No game is held",
      "WARN not checked  age, feed: the fault of files prevents it"
    ])
  })
})
