import { catalogueHere, folderHere } from "../support/place.ts"
import { card, gameId } from "../store/lake/invented.ts"
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { join } from "node:path"
import { assertFault, cardlake, settings } from "./cli.ts"
import { withSum } from "../safety/hostileTexts.ts"

const folder = folderHere()
/** One of its two products is refused. */
const sandbox = await catalogueHere({ [gameId]: [{ products: [card(1), { ...card(2), name: 7 }] }] })

const ask = (home: string) => cardlake(["query", "--home", home, "select 1"])

describe("a query", () => {
  for (const [state, content, says] of [
    ["gone", null, /lake\.duckdb is missing in .*Rebuild it from the snapshots with: cardlake doctor .*--repair/],
    ["damaged", "torn", /lake\.duckdb is damaged; .*Rebuild it from them with: cardlake doctor .*--repair/]
  ] as const) {
    it(`of a home whose lake is ${state} says how to rebuild it`, async () => {
      const broken = join(folder, state)
      mkdirSync(broken)
      const games = { emberfall: { snapshot: "s1", published: ["s1"] } }
      writeFileSync(join(broken, "current.json"), withSum({ games, history: [] }))
      if (content !== null) writeFileSync(join(broken, "lake.duckdb"), content.repeat(5000))
      assertFault(await ask(broken), 1, says)
    })
  }

  it("of a home whose only night was held says how to see why, and how to publish it", async () => {
    const held = join(folder, "held")
    const env = { ...settings(sandbox.url, held), CARDLAKE_HOLD_REFUSED: "0" }
    const night = await cardlake(["nightly", "--json"], { env })
    assert.strictEqual(night.code, 3, night.stderr)
    assertFault(
      await ask(held),
      1,
      /: every snapshot is held \(hollowmere\)\. See why with: cardlake runs .*; publish it with: cardlake release --home \S+ hollowmere$/
    )
  })

  it("of a home without a lake says how to fill it", async () => {
    const ended = await ask(join(folder, "nowhere"))
    assertFault(
      ended,
      1,
      /^cardlake: There is no lake in .*nowhere yet\. Make one with: cardlake nightly --home \S+; or name another folder with --home$/
    )
  })

  it("with --allow-files needs no lake for files alone, and makes no home", async () => {
    const nowhere = join(folder, "nowhere")
    const file = join(folder, "mine.csv")
    writeFileSync(file, "product_id\n7\n")
    const asking = (sql: string) => cardlake(["query", "--home", nowhere, "--allow-files", "--csv", sql])
    const files = await asking(`from '${file}'`)
    assert.deepStrictEqual([files.code, files.stdout], [0, "product_id\n7\n"], files.stderr)
    assertFault(
      await asking(`from products semi join '${file}' using (product_id)`),
      1,
      /There is no lake in .*nowhere yet/
    )
    assert.match((await asking(`from '${join(folder, "none.csv")}'`)).stderr, /No files found .*none\.csv/)
    assert.isFalse(existsSync(nowhere))
  })
})

describe("a folder that does not exist", () => {
  for (const args of [
    ["compact"],
    ["fx", fileURLToPath(new URL("../../data/sample/eurofxref.csv", import.meta.url))],
    ["nightly", "--dry-run"],
    ["front", "publish", join(folder, "front")],
    ["prune", "--keep-last", "1"],
    ["prune", "--keep-last", "1", "--yes"],
    ["export", "--to", join(tmpdir(), "cardlake-drop-of-nothing")],
    ["rollback", "magic", "--yes"],
    ["release", "magic", "--yes"],
    ["diff", "magic"],
    ["runs"],
    ["snapshots"],
    ["collection", "list"],
    ["watch", "list"],
    ["audit", "list"],
    ["explore"]
  ]) {
    it(`is not made by cardlake ${args.join(" ")}, which says how to fill it`, async () => {
      const mistyped = join(folder, "mistyped")
      const env = { CARDLAKE_HOME: mistyped, CARDLAKE_URL: "http://127.0.0.1:9", CARDLAKE_API_KEY: "none" }
      const ended = await cardlake([...args, "--json"], { env })
      assertFault(ended, 1, /There is no lake in .*mistyped yet\. Make one with:/)
      // A night's report has its reason alone.
      if (args[0] !== "nightly") assert.strictEqual((JSON.parse(ended.stdout) as { error: string }).error, "NoLake")
      assert.isFalse(existsSync(mistyped))
      assert.isFalse(existsSync(join(folder, "front")))
    })
  }
})
