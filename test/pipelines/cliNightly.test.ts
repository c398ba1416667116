import { folderHere, sandboxHere } from "../support/place.ts"
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cardlake, json, settings, type Where } from "./cli.ts"
import type { Ended } from "./runHere.ts"
import { game, servedNights } from "./servedNights.ts"

const folder = folderHere()
const sandbox = await sandboxHere()
const { home, nights } = await servedNights()
/** Three nights in a row: the first, one without a deployment, one after a deployment. */
const [first, second, third] = nights as unknown as readonly [Ended, Ended, Ended]

/** The keys of an object and of the objects in it, as `changes.products.added`. */
const keysOf = (value: object, above = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? keysOf(inner, `${above}${name}.`)
      : [`${above}${name}`]
  )

interface Night {
  readonly run: string
  readonly verdict: string
  readonly requests: number
  readonly retried: number
  readonly waitedSeconds: number
  readonly games: ReadonlyArray<{
    readonly verdict: string
    readonly requests: number
    readonly retried: number
    readonly waitedSeconds: number
    readonly snapshot: string
    readonly deploymentId: string
    readonly changes: { readonly products: Record<string, number> }
    readonly reconciliation: Record<string, number>
  }>
}
const nightOf = (ended: Ended) => json(ended) as Night

describe("nightly --json", () => {
  it("writes one object on one line and nothing else to standard output", () => {
    for (const { stdout } of [first, second, third]) assert.match(stdout, /^\{[^\n]*\}\n$/)
  })

  it("writes progress to standard error, one line per stage", () => {
    const lines = first.stderr.trimEnd().split("\n")
    assert.isTrue(lines.every((line) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /.test(line)))
    assert.deepStrictEqual(
      lines.map((line) => line.slice(21)),
      [
        `${game}: reading expansions`,
        `${game}: reading products`,
        `${game}: reading changelog`,
        `${game}: loading`,
        `${game}: publishing`,
        `${game}: published`
      ]
    )
  })

  it("has the promised keys every night", () => {
    const words = (text: string) => text.trim().split(/\s+/)
    const below = (name: string, text: string) => words(text).map((one) => `${name}.${one}`)
    const counts = "added removed modified modifiedCatalogue modifiedPrice"
    for (const ended of [first, second, third]) {
      const night = nightOf(ended)
      assert.deepStrictEqual(
        keysOf(night),
        words("run kind why startedAt verdict seconds requests retried waitedSeconds limit secondsAtLimit games")
      )
      assert.deepStrictEqual(keysOf(night.games[0] ?? {}), [
        ...words("gameId verdict reason deploymentId dialect snapshot products expansions prices externalIds refused"),
        ...below("drift", "keys records"),
        ...below("changes.products", counts),
        ...below("changes.expansions", counts),
        ...below("reconciliation", "confirmed claimedNotSeen seenNotClaimed unexplained"),
        // Nothing new was read, so nothing is audited.
        ...(ended === second ? ["idAudit"] : below("idAudit", "shared doubled moved missing apart")),
        ...words("via seconds requests retried waitedSeconds")
      ])
    }
  })

  it("counts its requests", () => {
    // The list of games; then head, expansions, two pages of products, changelog, both of them again, head.
    assert.deepInclude(nightOf(first), { requests: 9, retried: 0, waitedSeconds: 0 })
    assert.deepInclude(nightOf(first).games[0], { requests: 8, retried: 0, waitedSeconds: 0 })
  })

  it("reports a night without a deployment as unchanged, with exit code 0 and no new snapshot", () => {
    assert.strictEqual(second.code, 0)
    assert.strictEqual(nightOf(second).games[0]?.verdict, "unchanged")
    assert.strictEqual(nightOf(second).games[0]?.snapshot, nightOf(first).run)
    assert.deepStrictEqual([nights[0]?.snapshots, nights[1]?.snapshots], [1, 1])
  })

  it("is stored in the home as the run's report, with its checksum", () => {
    const { run } = nightOf(third)
    const { sha256, ...report } = JSON.parse(readFileSync(join(home, "runs", `${run}.json`), "utf8")) as {
      sha256: string
    }
    assert.deepStrictEqual(report, json(third))
    assert.strictEqual(
      sha256,
      createHash("sha256")
        .update(JSON.stringify(report, null, 2))
        .digest("hex")
    )
  })
})

describe("what --json advises", () => {
  it("names the home of the flag, or of the setting, so that it can be copied from anywhere", async () => {
    const named = join(folder, "a home")
    const command = ["nightly", game, "--json", "--dialect", "live"]
    const reasonOf = (ended: Ended) =>
      (JSON.parse(ended.stdout) as { games: ReadonlyArray<{ reason: string }> }).games[0]?.reason
    const advice = `run it again: cardlake nightly --home '${named}' ${game}`
    const env = settings(sandbox.url, join(folder, "elsewhere"))
    assert.include(reasonOf(await cardlake([...command, "--home", named], { env })), advice)
    assert.include(reasonOf(await cardlake(command, { env: { ...env, CARDLAKE_HOME: named } })), advice)
    const [stored] = json(await cardlake(["runs", "--json", "--home", named])) as ReadonlyArray<object>
    assert.include(JSON.stringify(stored), `cardlake nightly --home '${named}' ${game}`)
  })
})

describe("settings", () => {
  const home = join(folder, "settings")
  /** A folder with a `.env` whose settings are all wrong except for those in `right`. */
  const dotEnv = (right: Record<string, string>) => {
    const cwd = join(folder, `env-${Object.keys(right).join("-")}`)
    mkdirSync(cwd, { recursive: true })
    const wrong = { ...settings("http://127.0.0.1:9", join(cwd, "wrong")), CARDLAKE_API_KEY: "wrong", ...right }
    const lines = Object.entries(wrong).map(([name, value]) => `${name}=${value}`)
    writeFileSync(join(cwd, ".env"), lines.join("\n"))
    return cwd
  }

  const says = async (args: ReadonlyArray<string>, where: Where) => {
    const findings = json(await cardlake(["doctor", "--json", ...args], where)) as ReadonlyArray<{ says: string }>
    return findings.map((finding) => finding.says).join("\n")
  }

  it.concurrent("come from .env of the current folder", async () => {
    const printed = await says([], { cwd: dotEnv(settings(sandbox.url, home)) })
    assert.include(printed, sandbox.url)
    assert.include(printed, `${home} is writable`)
  })

  it.concurrent("come from the environment before .env, and from flags before both", async () => {
    const cwd = dotEnv({})
    const env = settings("http://127.0.0.1:9", join(cwd, "other"))
    const printed = await says(["--url", sandbox.url, "--home", home], { cwd, env })
    assert.include(printed, sandbox.url)
    assert.include(printed, `${home} is writable`)
  })

  it.concurrent("put the home into data/lake below the current folder when nothing names one", async () => {
    const cwd = join(folder, "bare")
    mkdirSync(cwd)
    const { CARDLAKE_API_KEY, CARDLAKE_URL } = settings(sandbox.url, home)
    const printed = await says([], { cwd, env: { CARDLAKE_API_KEY, CARDLAKE_URL } })
    assert.include(printed, `${join(cwd, "data/lake")} is writable`)
  })
})
