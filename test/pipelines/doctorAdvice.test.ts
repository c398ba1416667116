import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { examine } from "../../pipelines/lake/examine.ts"
import { listen, sendError, sendJson } from "../client/StrangeServer.ts"

describe("doctor", () => {
  for (const [name, status, code] of [
    ["refuses the key", 401, "UNAUTHORIZED"],
    ["forbids the account", 403, "API_ACCESS_DISABLED"],
    ["knows nothing at the address", 404, "NOT_FOUND"],
    ["lists no games", 200, ""]
  ] as const) {
    it.live(`does not advise running doctor where the marketplace ${name}`, () =>
      Effect.gen(function* () {
        const { settings } = yield* listen((_, response) =>
          status === 200 ? sendJson(response, { data: [] }) : sendError(response, status, code)
        )
        const home = mkdtempSync(join(tmpdir(), "cardlake-doctor-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(home, { recursive: true })))
        const findings = yield* examine({ ...settings, CARDLAKE_HOME: home }, Duration.hours(36))
        const bad = findings.filter(({ ok }) => !ok)
        assert.isAbove(bad.length, 0)
        for (const { says } of bad) {
          assert.notInclude(says, "cardlake doctor")
          assert.match(says, /[^:;,.]$/)
        }
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )
  }
  it.live("says what is wrong with an address, and names the flag if it came from one", () =>
    Effect.gen(function* () {
      const [settings] = yield* examine({ CARDLAKE_URL: "ftp://x", CARDLAKE_API_KEY: "k" }, Duration.hours(36))
      assert.isFalse(settings?.ok)
      assert.match(settings?.says ?? "", /^--url does not begin with http.* Correct it and run this again$/)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
