import { assert } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { node } from "../pipelines/cli.ts"
import { tinyMarketplace } from "./tinyNights.ts"
import { live } from "../support/suite.ts"

// Real nights, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

interface Answer {
  readonly [column: number]: string
}

/** A process that reads the lake; ending it gives the distinct answers it got. */
const reader = (lake: string, mode: "keep" | "reopen") => {
  const child = spawn(node, [join(import.meta.dirname, "lakeReader.ts"), lake, mode], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  let answers = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (answers += text))
  const ended = once(child, "close")
  return Effect.promise(async () => {
    child.stdin.end()
    assert.deepStrictEqual((await ended)[0], 0)
    return (JSON.parse(answers) as ReadonlyArray<string>).map((text) => JSON.parse(text) as Answer)
  })
}

live(
  "a reader that keeps the lake open for ten nights sees one state; one that opens it again sees only whole nights",
  function* () {
    const marketplace = yield* tinyMarketplace()
    const home = yield* marketplace.newHome
    yield* home.night
    const kept = reader(home.paths.lake, "keep")
    const reopened = reader(home.paths.lake, "reopen")
    const question = `select (select snapshot from snapshots where is_current) as snapshot,
      (select count(*) || ' ' || bit_xor(hash(p)) from products p) as products,
      (select count(*) || ' ' || coalesce(bit_xor(hash(s)), 0) from source_prices s) as prices,
      (select count(*) from changes) as changes`
    const states = new Set<string>()
    const note = Effect.map(home.query(question), ([row = {}]) =>
      states.add(JSON.stringify(Object.values(row).map(String)))
    )
    yield* note
    yield* Effect.sleep("1 second")
    for (let night = 0; night < 10; night++) {
      yield* marketplace.deploy
      yield* home.night
      yield* note
    }
    assert.strictEqual(states.size, 11)
    const texts = (answers: ReadonlyArray<unknown>) =>
      answers.map((answer) => JSON.stringify((answer as ReadonlyArray<unknown>).map(String)))
    const first = [...states].slice(0, 1)
    assert.deepStrictEqual(texts(yield* kept), first)
    const seen = texts(yield* reopened)
    assert.isAbove(seen.length, 1)
    for (const state of seen) assert.include([...states], state)
  }
)
