import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DeploymentId } from "../../../src/feed/contract/Ids.ts"
import { nightWarning } from "../../../src/night/observe/Observation.ts"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { cardlake } from "../../pipelines/cli.ts"
import { idOf } from "../../store/lake/invented.ts"
import { folderHere } from "../../support/place.ts"
import { effect } from "../../support/suite.ts"

/** Clears the screen, sets the clipboard, begins a line that could be ours, reverses the writing. */
const hostile = "x\u001b[2J\u001b]52;c;aGk=\u0007\r\npublished\u009b1A\u202e"
const folder = folderHere()
const shown = String.raw`x␛[2J␛]52;c;aGk=␇\r\npublished\u{9b}1A\u{202e}`

describe("what the feed sends", () => {
  it("stays on one line of the verdict, its control characters made visible", () => {
    const game = {
      gameId: hostile,
      verdict: "failed",
      snapshot: null,
      deploymentId: DeploymentId.make(hostile),
      externalIds: null,
      products: null,
      prices: null,
      expansions: null,
      refused: null,
      changes: null,
      reconciliation: null,
      idAudit: null,
      seconds: 1,
      drift: null,
      reason: hostile
    } as const
    const lines = verdictText({
      run: idOf("r"),
      kind: "nightly",
      why: null,
      startedAt: "2026-05-01T00:00:00.000Z",
      verdict: "failed",
      seconds: 1,
      games: [game]
    }).split("\n")
    assert.strictEqual(lines.length, 6)
    assert.match(lines[2] ?? "", /^x␛\[2J/)
    assert.strictEqual(lines[4], `${shown} failed: ${shown}`)
  })

  effect("stays on one line of the log for people, and is exact in the log for machines", function* () {
    const written: Array<string> = []
    for (const form of ["text", "json"] as const) {
      const log = nightLog(form, (line) => void written.push(line))
      yield* nightWarning("strange", `The feed says ${hostile}`).pipe(Effect.provide(log))
    }
    assert.strictEqual(written[0], `cardlake: The feed says ${shown}\n`)
    assert.strictEqual((JSON.parse(written[1] ?? "") as { sentence: string }).sentence, `The feed says ${hostile}`)
  })

  it("stays on one line of standard error", async () => {
    const { code, stderr } = await cardlake(["diff", hostile, "--home", folder])
    assert.strictEqual(code, 2)
    assert.match(stderr, /^cardlake: [^\p{Cc}\p{Cf}]+\n$/u)
    assert.include(stderr, `no game ${shown}.`)
  })
})
