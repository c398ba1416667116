import { assert } from "@effect/vitest"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verdictText } from "../../pipelines/night/verdictText.ts"
import { withExport } from "../../pipelines/night/withExport.ts"
import { readCurrent } from "../../src/store/home/Home.ts"
import { exitCodeOfNight, type GameReport, type RunReport } from "../../src/night/observe/RunReport.ts"
import { gameId } from "../store/lake/invented.ts"
import { exportTo, nightId, fourNights } from "./FourNights.ts"

const asUsual = { since: null, until: null, backfill: false }

const game = (verdict: GameReport["verdict"]): GameReport => ({
  gameId,
  verdict,
  reason: null,
  deploymentId: null,
  snapshot: nightId(4),
  products: 5,
  expansions: 1,
  prices: 5,
  externalIds: 0,
  refused: 0,
  drift: null,
  changes: null,
  reconciliation: null,
  idAudit: null,
  seconds: 1
})
const reportOf = (...verdicts: ReadonlyArray<GameReport["verdict"]>): RunReport => ({
  run: nightId(4),
  kind: "nightly",
  why: null,
  startedAt: "2026-05-04T03:00:00.000Z",
  verdict: "published",
  seconds: 2,
  games: verdicts.map(game)
})

fourNights("nightly --export", (it) => {
  it.home("says in the verdict what was exported", function* (folder) {
    const report = yield* withExport(reportOf("published"), folder)
    assert.deepInclude(report.export, { to: folder, verdict: "exported", reason: null, partitions: 23 })
    assert.isAbove(report.export?.rows ?? 0, 15)
    assert.strictEqual(exitCodeOfNight(report), 0)
    assert.include(verdictText(report), `Exported to ${folder}: 23 partitions, `)
  })

  it.home("that fails says why, exits with 4, and takes nothing back", function* (folder) {
    writeFileSync(join(folder, "other.txt"), "")
    const before = yield* readCurrent
    const report = yield* withExport(reportOf("published"), folder)
    const why = `${folder} contains other files (other.txt) but no export. Export to an empty folder`
    assert.deepInclude(report.export, { verdict: "failed", reason: why, partitions: null })
    assert.strictEqual(exitCodeOfNight(report), 4)
    assert.include(verdictText(report), `The night is published, but the export to ${folder} failed. ${why}`)
    assert.deepStrictEqual(yield* readCurrent, before)
    const ofVerdicts = (...verdicts: ReadonlyArray<GameReport["verdict"]>) =>
      exitCodeOfNight({ ...reportOf(...verdicts), ...(report.export === undefined ? {} : { export: report.export }) })
    assert.deepStrictEqual([ofVerdicts("held"), ofVerdicts("failed", "published"), ofVerdicts("failed")], [4, 4, 1])
  })

  it.home("that leaves a table alone exits with 4 and says why, besides what was exported", function* (folder) {
    yield* exportTo(folder, { format: "iceberg", tables: ["games"], span: asUsual })
    rmSync(join(folder, "games/metadata/version-hint.text"))
    writeFileSync(join(folder, `_state/${gameId}.json`), `{"days": {}}`)
    const report = yield* withExport(reportOf("published"), folder)
    assert.match(report.export?.reason ?? "", /^The Iceberg table games has no valid .*version-hint\.text/)
    assert.strictEqual(report.export?.verdict, "failed")
    assert.isAbove(report.export?.partitions ?? 0, 0)
    assert.match(verdictText(report), /\nExported to .*: \d+ partitions, .*, but not all: The Iceberg table games /)
    assert.strictEqual(exitCodeOfNight(report), 4)
  })
})
