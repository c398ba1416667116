import { tinySandboxHere } from "../support/place.ts"
import { live, effect, newFolder } from "../support/suite.ts"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { NodeServices } from "@effect/platform-node"
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settingsDoubts, settingsFaults } from "../../pipelines/settings/examineSettings.ts"
import { assertFault, cardlake, key, remove, settings, temporaryFolder } from "./cli.ts"
import { documents } from "../documents.ts"
import { startAnswering } from "./proxy.ts"

describe("settings that work but may show the key to others", () => {
  const plain = "--url is unencrypted http, which exposes the key. Use https://"
  for (const [url, doubts] of [
    ["https://marketplace.test", []],
    ["http://marketplace.test", [plain]],
    ["http://127.0.0.1.marketplace.test", [plain]],
    ["http://10.0.0.1:8080", [plain]],
    ["http://127.0.0.1:4600", []],
    ["http://127.8.0.1", []],
    ["http://[::1]:4600", []],
    ["http://localhost", []]
  ] as const) {
    effect(url, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* settingsDoubts({ CARDLAKE_URL: url }), [...doubts])
      }).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_API_KEY: key }))),
        Effect.provide(NodeServices.layer)
      )
    )
  }
})

effect("a .env that cannot be read is doubted, too", () =>
  Effect.gen(function* () {
    const folder = yield* newFolder
    symlinkSync(".env", join(folder, ".env"))
    const before = process.cwd()
    yield* Effect.acquireRelease(
      Effect.sync(() => process.chdir(folder)),
      () => Effect.sync(() => process.chdir(before))
    )
    const [doubt, ...others] = yield* settingsDoubts({})
    assert.match(doubt ?? "", /^\.env cannot be read, so it is ignored \(ELOOP: .+\)\. Make it readable/)
    assert.deepStrictEqual(others, [])
  }).pipe(
    Effect.scoped,
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
    Effect.provide(NodeServices.layer)
  )
)

describe("a variable that begins like a setting", () => {
  const doubts = (env: Record<string, string>) =>
    settingsDoubts({}).pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
      Effect.provide(NodeServices.layer)
    )
  live("and is none is doubted by its name", function* () {
    assert.deepStrictEqual(
      yield* doubts({ CARDLAKE_APIKEY: key, CARDLAKE_HOLD_REMOVE: "0.1", CARDLAKE_HOLD_REMOVED: "0.1" }),
      ["CARDLAKE_APIKEY", "CARDLAKE_HOLD_REMOVE"].map(
        (name) => `${name} is not a setting of Cardlake and is ignored. Correct its name, or remove it`
      )
    )
  })
  live("and that Kubernetes sets for a service called cardlake is not", function* () {
    const names = ["SERVICE_HOST", "SERVICE_PORT_HTTP", "PORT", "PORT_8080_TCP_ADDR", "EXPLORE_PORT_80_TCP"]
    assert.deepStrictEqual(yield* doubts(Object.fromEntries(names.map((name) => [`CARDLAKE_${name}`, "1"]))), [])
  })
  live("and is in the README is not", function* () {
    const text = documents.map((page) => page.text).join("\n")
    const names = new Set(text.match(/CARDLAKE_[A-Z0-9_]+/g))
    assert.isAbove(names.size, 8)
    assert.deepStrictEqual(yield* doubts(Object.fromEntries([...names].map((name) => [name, "x"]))), [])
  })
})

const sandbox = await tinySandboxHere("tidewrack")

live("a bound for a game that is not there is named by doctor and by the night", function* () {
  const cwd = yield* newFolder
  const env = {
    ...settings(sandbox.url, join(cwd, "lake")),
    CARDLAKE_HOLD_REMOVED__TIDEWRACK: "0.1",
    CARDLAKE_HOLD_REMOVED__TIDEWRAK: "0.1"
  }
  const says = /CARDLAKE_HOLD_REMOVED__TIDEWRAK is ignored, because no game has this id\. The games: tidewrack/
  const doctor = yield* Effect.promise(() => cardlake(["doctor"], { env, cwd }))
  const night = yield* Effect.promise(() => cardlake(["nightly"], { env, cwd }))
  assert.deepStrictEqual([doctor.code, night.code], [0, 0])
  for (const text of [doctor.stdout, night.stderr]) {
    assert.match(text, says)
    assert.notInclude(text, "CARDLAKE_HOLD_REMOVED__TIDEWRACK changes")
  }
})

describe("a .env", () => {
  const url = "CARDLAKE_URL=ftp://x\n"
  const utf16 = Buffer.from(`\uFEFF${url}`, "utf16le")
  const faultsWith = Effect.fnUntraced(function* (bytes: Uint8Array | string) {
    const folder = yield* newFolder
    writeFileSync(join(folder, ".env"), bytes)
    const before = process.cwd()
    yield* Effect.acquireRelease(
      Effect.sync(() => process.chdir(folder)),
      () => Effect.sync(() => process.chdir(before))
    )
    const faults = yield* settingsFaults({ CARDLAKE_HOME: folder })
    return [...faults.map(({ message }) => message), ...(yield* settingsDoubts({}))].join("\n")
  })
  for (const [what, bytes, says] of [
    ["in UTF-16 is read", utf16, /^CARDLAKE_URL is not an address/],
    ["in UTF-16 of the other order is read", Buffer.from(utf16).swap16(), /^CARDLAKE_URL is not an address/],
    ["with a mark of UTF-8 is read", `\uFEFF${url}`, /^CARDLAKE_URL is not an address/],
    ["in another encoding is named", Buffer.from("CARDLAKE_HOME=M\xfcller", "latin1"), /not UTF-8; save it as UTF-8/],
    ["in UTF-16 without its mark is named", utf16.subarray(2), /it is not text; save it as UTF-8/],
    ["with the line of another shell is named", 'A=1\n$env:CARDLAKE_URL = "x"', /Line 2 of \.env is not understood/],
    [
      "with names that set nothing is named",
      '"CARDLAKE_VIA"=a\n- CARDLAKE_VIA=a\n{"CARDLAKE_VIA": 1}\ncardlake_via=a\nCARDLAKE-VIA=a',
      /Line 1 .*\nLine 2 .*\nLine 3 .*\nLine 4 .*\nLine 5 of \.env/
    ],
    [
      "with a quote in a name is named",
      'CARDLAKE_"VIA=a\nCARDLAKE_VIA"=a\n"CARDLAKE_VIA=a\nexport "CARDLAKE"_VIA=a',
      /Line 1 .*\nLine 2 .*\nLine 3 .*\nLine 4 of \.env is not understood and is ignored\. Write NAME=value/
    ],
    [
      "with a quote that encloses no value is named",
      `CARDLAKE_VIA="a # b\nCARDLAKE_VIA=a'\nCARDLAKE_VIA='a"\nCARDLAKE_VIA="a"b\nCARDLAKE_VIA=“a”\nCARDLAKE_VIA: \`a`,
      /Line 1 .*\nLine 2 .*\nLine 3 .*\nLine 4 .*\nLine 5 .*\nLine 6 of \.env has a quote that does not enclose the value/
    ],
    [
      "with a line in the quotes of another is named",
      'A="a\nCARDLAKE_VIA=a\nB="\nCARDLAKE_URL=ftp://x',
      /^CARDLAKE_URL is not an address[^]*Line 2 of \.env is within the quotes of a line above and is ignored/
    ],
    [
      "with comments and other programs' lines is not blamed",
      `${url}# cardlake_via=a\nA=cardlake-x\nB="x\n export CARDLAKE_VIA = pages\nCARDLAKE_HOME="it's" # "a\nCARDLAKE_DIALECT=#a'\nCARDLAKE_AT_MOST='"1"'\nCARDLAKE_S3_ENCRYPTION="a\\"b"`,
      /^CARDLAKE_URL is not an address(?![^]*Line)/
    ],
    [
      "with a variable of the environment is named",
      "AWS_REGION=x",
      /AWS_REGION is not read from \.env\. Set it in the env/
    ],
    ["with the webhook's address is named", "CARDLAKE_NOTIFY=http://x.test", /CARDLAKE_NOTIFY is not read from \.env/]
  ] as const) {
    effect(what, () =>
      Effect.map(faultsWith(bytes), (messages) => assert.match(messages, new RegExp(says, "m"))).pipe(
        Effect.scoped,
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { CARDLAKE_API_KEY: key } }))),
        Effect.provide(NodeServices.layer)
      )
    )
  }
})

it("a .env that is a folder ends a command with one sentence", async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, ".env"))
  assertFault(
    await cardlake(["snapshots"], { cwd }),
    1,
    /^cardlake: \.env in the current folder cannot be read \(EISDIR: .*\)\. Make it readable, or remove it$/
  )
  remove(cwd)
})

describe.concurrent("a .env that others may write, with an address for the environment's key", () => {
  let folder: string
  let proxy: Awaited<ReturnType<typeof startAnswering>>
  const where = () => ({
    cwd: folder,
    env: { CARDLAKE_API_KEY: key, CARDLAKE_HOME: join(folder, "lake"), HTTP_PROXY: proxy.url }
  })
  const isRoot = process.getuid?.() === 0
  const sayings = [
    /^Every user of this machine can write to \.env and .* Run: chmod o-w \.env$/,
    ...(isRoot ? [/^\.env belongs to another user,/] : []),
    /^CARDLAKE_URL is unencrypted http,/,
    /^The key from the environment is sent to the address in this folder's \.env\. Set CARDLAKE_URL in the environment too$/,
    /^http_proxy is not read from \.env\. Set it in the environment$/
  ]
  const assertSaid = (messages: ReadonlyArray<string>) => {
    assert.strictEqual(messages.length, sayings.length, messages.join("\n"))
    for (const [place, says] of sayings.entries()) assert.match(messages[place] ?? "", says)
  }

  beforeAll(async () => {
    folder = temporaryFolder()
    proxy = await startAnswering(401, "application/json", '{"code":"UNAUTHORIZED","status":401,"message":"","data":{}}')
    const file = join(folder, ".env")
    writeFileSync(file, "CARDLAKE_URL=http://marketplace.test\nhttp_proxy=http://127.0.0.1:1\n")
    chmodSync(file, 0o666)
    if (isRoot) chownSync(file, 12_345, 12_345)
  })
  afterAll(() => {
    proxy.stop()
    remove(folder)
  })

  it("is doubted by doctor", async () => {
    const { stdout } = await cardlake(["doctor", "--json"], where())
    const findings = JSON.parse(stdout) as ReadonlyArray<{ name: string; ok: boolean; says: string }>
    assertSaid(findings.filter(({ name, ok }) => name === "doubt" && ok).map(({ says }) => says))
  })

  it("is warned of by the night, in one event per doubt", async () => {
    const { code, stderr } = await cardlake(["nightly", "--log", "json"], where())
    assert.strictEqual(code, 1)
    const events = stderr
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
    // The request went through the proxy of the environment, not that of .env.
    assert.match(events.at(-1)?.["reason"] ?? "", /^The marketplace refused the API key/)
    assertSaid(
      events.filter(({ event, level }) => event === "settings" && level === "warn").map((one) => one["sentence"] ?? "")
    )
  })
})

describe("a setting of the schedule", () => {
  for (const [name, value, says] of [
    [
      "CARDLAKE_CRON",
      "@daily",
      /^CARDLAKE_CRON is "@daily"\. Expected five fields, minute hour day month weekday,.* got 1/
    ],
    ["CARDLAKE_CRON", "0 3 31 2 *", /^CARDLAKE_CRON is "0 3 31 2 \*"\. Expected a day that occurs/],
    ["CARDLAKE_CRON", "'0 3 * * *'", /Expected a positive integer in field minute, got "'0"/],
    [
      "CARDLAKE_TZ",
      "Europe/Zuerich",
      /^CARDLAKE_TZ is "Europe\/Zuerich", not the name of a time zone, such as Europe\/Zurich/
    ]
  ] as const) {
    live(`that is ${value} is named by doctor, with what would be right`, function* () {
      const faults = yield* settingsFaults({ CARDLAKE_URL: "https://x.test", CARDLAKE_API_KEY: key, [name]: value })
      assert.lengthOf(faults, 1)
      assert.match(faults[0]?.message ?? "", says)
    })
  }
})
