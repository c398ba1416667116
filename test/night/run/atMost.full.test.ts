import { assert } from "@effect/vitest"
import { computeExitCode } from "../../../src/night/observe/RunReport.ts"
import { reportOf, slowMarketplace } from "./slowMarketplace.ts"
import { live } from "../../support/suite.ts"

live(
  "a night that reaches its bound publishes the games that it has read, and the next night continues the others",
  function* () {
    let isSlow = true
    const { asked, night } = yield* slowMarketplace(
      ({ asked, path }) => isSlow && asked.includes('"tidewrack"') && path.includes("offset=600")
    )
    const bounded = yield* night("2 seconds")
    assert.isBelow(bounded.seconds, 6)
    const report = reportOf(bounded.result)
    const verdicts = report.games.map(({ verdict }) => verdict)
    assert.deepStrictEqual(verdicts, ["published", "failed"])
    assert.strictEqual(computeExitCode(report.games), 4)
    assert.match(
      report.games[1]?.reason ?? "",
      /^The night reached its time limit of 2s while reading products, page 3 of 4\. The pages are stored, .*cardlake nightly; or .*--at-most$/
    )

    isSlow = false
    asked.length = 0
    const second = reportOf((yield* night("1h")).result)
    assert.deepStrictEqual(
      second.games.map(({ verdict }) => verdict),
      ["unchanged", "published"]
    )
    const pages = asked.filter((one) => one.includes('"tidewrack"') && one.includes("offset=200"))
    // Once at the end of the reading, as a probe; the page itself was on disk.
    assert.strictEqual(pages.length, 1)
  }
)
