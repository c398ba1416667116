import { folderHere, tinySandboxHere } from "../support/place.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Flag } from "effect/cli"
import { setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { cron, tz, atMost, notify } from "../../pipelines/flags/nightFlags.ts"
import { maxAge } from "../../pipelines/flags/sharedFlags.ts"
import { assertFault, cardlake, json, settings, type Started, startCardlake } from "./cli.ts"
import { effect } from "../support/suite.ts"
import { isFull } from "../tried.ts"

interface Health {
  readonly ok: boolean
  readonly lastRun: string | null
  readonly lastVerdict: string | null
  readonly nextRunAt: string | null
  readonly running: boolean
  readonly lakeAgeSeconds: number | null
  readonly live: boolean
}

/** The service once it has told its next time, with its health on a free port. */
const startService = async (env: Record<string, string>, ...flags: ReadonlyArray<string>) => {
  const service = startCardlake(["schedule", "clockwork-orchard", "--log", "json", "--health", "0", ...flags], { env })
  let log = ""
  service.process.stderr?.on("data", (text: string) => (log += text))
  await service.shows('"event":"next"')
  const port = /"port":(\d+)/.exec(log)?.[1] ?? ""
  const url = `http://127.0.0.1:${port}`
  const health = async (query = "") => {
    const response = await fetch(`${url}/health${query}`)
    return { status: response.status, says: (await response.json()) as Health }
  }
  return { ...service, url, health }
}

/** Seconds that Kubernetes waits before it kills; systemd has more patience. */
const patience = 30

/** Ends the service as systemd and Kubernetes do, and tells how many seconds it took. */
const end = async ({ ended, process }: Started) => {
  const started = performance.now()
  process.kill("SIGTERM")
  return { ...(await ended), seconds: (performance.now() - started) / 1000 }
}

const marketplace = await tinySandboxHere("clockwork-orchard")

describe("cardlake schedule", () => {
  const folder = folderHere()
  const yearly = ["--cron", "0 3 1 1 *", "--tz", "Europe/Zurich"]

  it("says its next time, is healthy before its first night, and ends when it is told to", async () => {
    const service = await startService(settings(marketplace.url, join(folder, "new")), ...yearly)
    const { says, status } = await service.health()
    assert.strictEqual(status, 200)
    assert.match(says.nextRunAt ?? "", /^\d{4}-01-01T02:00:00\.000Z$/)
    assert.deepInclude(says, { ok: true, lastRun: null, lastVerdict: null, running: false, lakeAgeSeconds: null })
    assert.strictEqual((await fetch(`${service.url}/other`)).status, 404)
    assert.isBelow((await end(service)).seconds, patience)
  })

  it("runs its nights, prints each verdict as a line, and reports the last one", async () => {
    const begun = performance.now()
    const service = await startService(
      settings(marketplace.url, join(folder, "lake")),
      "--cron",
      "* * * * * *",
      "--json"
    )
    let { says, status } = await service.health()
    while (says.lastVerdict !== "unchanged") {
      await setTimeout(100)
      ;({ says, status } = await service.health())
    }
    assert.strictEqual(status, 200)
    assert.isTrue(says.ok)
    assert.isAtMost(says.lakeAgeSeconds ?? Number.NaN, (performance.now() - begun) / 1000 + 1)
    const ended = await end(service)
    assert.isBelow(ended.seconds, patience)
    const verdicts = ended.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly verdict: string }).verdict)
    assert.deepStrictEqual(verdicts.slice(0, 2), ["published", "unchanged"])
  })

  it.runIf(isFull)("answers 503 when the last night failed, and goes on", async () => {
    const home = join(folder, "failing")
    const ended = await cardlake(["nightly", "clockwork-orchard", "--json"], { env: settings(marketplace.url, home) })
    json(ended)
    const service = await startService(
      { ...settings(marketplace.url, home), CARDLAKE_API_KEY: "wrong" },
      "--cron",
      "* * * * * *"
    )
    await service.shows('"verdict":"failed"')
    await setTimeout(300)
    const { says, status } = await service.health()
    assert.strictEqual(status, 503)
    assert.deepInclude(says, { ok: false, lastVerdict: "failed" })
    const live = await service.health("?live")
    assert.deepStrictEqual([live.status, live.says.live, live.says.ok], [200, true, false])
    assert.isBelow((await end(service)).seconds, patience)
  })

  it.runIf(isFull)("answers 503 when the lake is too old", async () => {
    const service = await startService(
      settings(marketplace.url, join(folder, "lake")),
      ...yearly,
      "--max-age",
      "0.001m"
    )
    await setTimeout(100)
    const { says, status } = await service.health()
    assert.strictEqual(status, 503)
    assert.deepInclude(says, { ok: false })
    await end(service)
  })

  it("ends at once when a setting is missing", async () => {
    assertFault(await cardlake(["schedule", ...yearly]), 1, /CARDLAKE_/)
  })
})

const valueOf = <A>(flag: Flag.Flag<A>, name: string, value: string) =>
  flag
    .parse({ arguments: [], flags: { [name]: [value] } })
    .pipe(
      Effect.match({ onSuccess: () => "accepted", onFailure: (error) => error.message }),
      Effect.provide(NodeServices.layer)
    )

describe("the flags of a schedule", () => {
  for (const [what, flag, name, value, says] of [
    [
      "an hour that no day has",
      cron,
      "cron",
      "0 25 * * *",
      /"0 25 \* \* \*"\. Expected a value between 0 and 23 in field hour, got "25"/
    ],
    [
      "a field too few",
      cron,
      "cron",
      "0 3 * *",
      /Expected five fields, minute hour day month weekday, such as "0 3 \* \* \*", got 4/
    ],
    ["a day that no year has", cron, "cron", "0 0 31 2 *", /Expected a day that occurs.* this one never does/],
    ["an unknown time zone", tz, "tz", "Europe/Zurch", /Expected the name of a time zone, such as Europe\/Zurich/],
    ["a bound without a unit", maxAge, "max-age", "36", /Expected a duration such as 36h/],
    ["a bound of nothing", maxAge, "max-age", "0h", /Expected a duration such as 36h/],
    ["a night without a unit", atMost, "at-most", "6", /Expected a duration such as 6h/],
    [
      "a webhook with a password",
      notify,
      "notify",
      "http://user:pw@x.test",
      /contains a user or a password, which is never sent/
    ]
  ] as const) {
    effect(`refuse ${what} and say what is wrong`, () =>
      Effect.map(valueOf<unknown>(flag, name, value), (message) => assert.match(message, says))
    )
  }
  for (const [flag, name, value] of [
    [cron, "cron", "*/5 2-4 * * mon-fri"],
    [tz, "tz", "UTC"],
    [maxAge, "max-age", "36h"],
    [maxAge, "max-age", "2d"],
    [maxAge, "max-age", "90 minutes"],
    [atMost, "at-most", "90 minutes"],
    [notify, "notify", "https://x.test/hook"]
  ] as const) {
    effect(`take --${name} ${value}`, () =>
      Effect.map(valueOf<unknown>(flag, name, value), (message) => assert.strictEqual(message, "accepted"))
    )
  }
})
