import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DeploymentId } from "../../../src/feed/contract/Ids.ts"
import type { NightOutcome } from "../../../src/night/observe/NightOutcome.ts"
import { prometheusText, writePrometheus } from "../../../src/night/observe/writePrometheus.ts"
import type { GameReport } from "../../../src/night/observe/RunReport.ts"
import { remove, root, temporaryFolder } from "../../pipelines/cli.ts"
import { parseExposition } from "./expositionText.ts"
import { idOf } from "../../store/lake/invented.ts"
import { effect } from "../../support/suite.ts"

const counted = { added: 1, removed: 2, modified: 7, modifiedCatalogue: 3, modifiedPrice: 4 }
const published: GameReport = {
  gameId: "fable",
  verdict: "published",
  reason: null,
  deploymentId: DeploymentId.make("d1"),
  snapshot: idOf("s1"),
  products: 108_319,
  expansions: 5,
  prices: 400,
  externalIds: 9,
  refused: 0,
  changes: { products: counted, expansions: counted },
  reconciliation: null,
  idAudit: null,
  drift: null,
  seconds: 1.25
}
const failed: GameReport = {
  ...published,
  gameId: 'od"d\\game\n',
  verdict: "failed",
  products: null,
  expansions: null,
  prices: null,
  refused: null,
  changes: null
}
const outcome: NightOutcome = {
  report: {
    run: idOf("r1"),
    kind: "nightly",
    why: null,
    startedAt: "2026-11-21T02:00:00.000Z",
    verdict: "failed",
    seconds: 2.5,
    games: [published, failed]
  },
  exitCode: 4,
  endedMillis: 1_795_000_000_123
}
const noReport: NightOutcome = {
  report: { run: null, startedAt: "2026-11-21T02:00:00.000Z", verdict: "failed", seconds: 0, games: [], reason: "no" },
  exitCode: 1,
  endedMillis: 1_795_000_000_123
}
describe.each(["grafana.json", "alerts.yaml"])("%s of pipelines/schedules", (name) => {
  effect("asks only for figures that a night prints", function* () {
    const report = { ...outcome.report, budget: { key: "k", leases: 1, tokens: 1, refused: 0 }, waitedSeconds: 1 }
    const hold = { gameId: "fable", sinceMillis: 1, readMillis: 1, snapshot: null, deploymentId: null }
    const held = [{ ...hold, reason: "", reasons: [] }]
    const printed = yield* prometheusText({ ...outcome, report: report as NightOutcome["report"], held })
    const text = readFileSync(join(root, "pipelines/schedules", name), "utf8")
    const names = new Set(text.match(/\bcardlake_\w+/g))
    assert.isAbove(names.size, 4)
    for (const figure of names) assert.include(printed, `# TYPE ${figure} gauge\n`)
  })
})

const valueOf = (text: string, name: string, labels: Readonly<Record<string, string>> = {}) =>
  parseExposition(text).find(
    (sample) =>
      sample.name === name && Object.entries({ ...sample.labels, ...labels }).every(([k, v]) => sample.labels[k] === v)
  )?.value

describe("the Prometheus file", () => {
  it("says when the night ended, how long it took and with which exit code", () => {
    const text = Effect.runSync(prometheusText(outcome))
    assert.strictEqual(valueOf(text, "cardlake_last_run_timestamp_seconds"), 1_795_000_000.123)
    assert.strictEqual(valueOf(text, "cardlake_last_run_seconds"), 2.5)
    assert.strictEqual(valueOf(text, "cardlake_last_run_exit_code"), 4)
    assert.strictEqual(valueOf(text, "cardlake_last_run_verdict", { verdict: "failed" }), 1)
  })

  it("has every possible verdict of every game, with 1 for the one that it got", () => {
    const text = Effect.runSync(prometheusText(outcome))
    assert.strictEqual(valueOf(text, "cardlake_game_verdict", { game: "fable", verdict: "published" }), 1)
    assert.strictEqual(valueOf(text, "cardlake_game_verdict", { game: "fable", verdict: "failed" }), 0)
    assert.strictEqual(parseExposition(text).filter(({ name }) => name === "cardlake_game_verdict").length, 10)
  })

  it("has the figures of a game", () => {
    const text = Effect.runSync(prometheusText(outcome))
    const labels = { game: "fable" }
    assert.strictEqual(valueOf(text, "cardlake_game_products", labels), 108_319)
    assert.strictEqual(valueOf(text, "cardlake_game_prices", labels), 400)
    assert.strictEqual(valueOf(text, "cardlake_game_refused", labels), 0)
    assert.strictEqual(valueOf(text, "cardlake_game_seconds", labels), 1.25)
    const change = { ...labels, entity: "products", change: "modifiedPrice" }
    assert.strictEqual(valueOf(text, "cardlake_game_changes", change), 4)
  })

  it("leaves out what a game that failed does not have, and escapes its id", () => {
    const samples = parseExposition(Effect.runSync(prometheusText(outcome))).filter(
      ({ labels }) => labels["game"] === failed.gameId
    )
    assert.deepStrictEqual(
      [...new Set(samples.map(({ name }) => name))],
      ["cardlake_game_verdict", "cardlake_game_seconds"]
    )
  })

  it("is valid for a night that failed before its first game", () => {
    const text = Effect.runSync(prometheusText(noReport))
    assert.strictEqual(valueOf(text, "cardlake_last_run_exit_code"), 1)
    assert.isFalse(text.includes("cardlake_game"))
  })

  effect("replaces the one before and leaves no other file", function* () {
    const folder = temporaryFolder()
    const file = join(folder, "cardlake.prom")
    writeFileSync(file, "old")
    yield* writePrometheus(file, outcome)
    assert.strictEqual(readFileSync(file, "utf8"), yield* prometheusText(outcome))
    assert.deepStrictEqual(readdirSync(folder), ["cardlake.prom"])
    remove(folder)
  })

  effect("that cannot be written does not fail the night", () =>
    writePrometheus(join(temporaryFolder(), "missing", "cardlake.prom"), outcome)
  )
})
