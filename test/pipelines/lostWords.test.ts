import { folderHere, sandboxHere } from "../support/place.ts"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { plainService, startAltered } from "./alteredMarketplace.ts"
import { cardlake, settings } from "./cli.ts"

const folder = folderHere()
const at = (name: string) => join(folder, name)

/** The first sixty products of this game are cards, and one has a variant. */
const game = "clockwork-orchard"

const sandbox = await sandboxHere(plainService)
const quiet = await startAltered(sandbox.url, {
  renamed: { sourceUsd: "pacificUsd", expansionId: "setRef", rarity: "scarcity" },
  moved: { figure: "low", to: ["bounds", "lowest"] },
  largestPage: 60
})
afterAll(() => quiet.stop())

describe("a service whose refusals are few, and whose words are lost in silence", () => {
  const lows = (places: ReadonlyArray<string>) =>
    Object.fromEntries(
      places
        .flatMap((place) => [place, `${place}byCondition.*.`, `${place}byCondition.*.byLanguage.*.`])
        .map((place) => [`${place}low`, `${place}bounds.lowest`])
    )
  const everywhere = ["pricesByFinish.*.*.", "prices.*.", "pricesByFinish.*.*.regions.*.", "prices.*.regions.*."]
  const file = {
    name: "mine",
    like: "spec",
    pages: { offset: 60 },
    blocks: { sourceUsd: "pacificUsd" },
    ids: { sourceUsd: "pacificUsd" },
    moved: { products: { expansionId: "setRef", rarity: "scarcity", ...lows(everywhere) } }
  }
  type Moved = Record<string, string>
  const fileWith = (name: string, change: (moved: Moved) => Moved) => {
    const products = change(file.moved.products)
    writeFileSync(at(name), JSON.stringify({ ...file, moved: { products } }))
    return name
  }
  const without =
    (...paths: ReadonlyArray<string>) =>
    (moved: Moved) =>
      Object.fromEntries(Object.entries(moved).filter(([to]) => !paths.includes(to)))
  const doctor = (...args: ReadonlyArray<string>) =>
    cardlake(["doctor", ...args], { env: settings(quiet.url, at("none")), cwd: folder })
  const tried = (name: string) => cardlake(["dialect", "quiet.json", "--dialect", name], { cwd: folder })

  it("is captured with pages as large as it says, and with sealed products", async () => {
    const { code, stdout } = await doctor("--capture", "quiet.json", "--game", game, "--yes")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^products +200 .*limit=60&/m)
    assert.match(stdout, /^sealed +200 /m)
  })

  it("has everything proposed that is needed, with the base that needs least", async () => {
    const { stdout } = await cardlake(["dialect", "quiet.json"], { cwd: folder })
    assert.deepStrictEqual<unknown>(JSON.parse(stdout), file)
    writeFileSync(at("whole.json"), stdout)
    const { code, stdout: says } = await tried("whole.json")
    assert.strictEqual(code, 0, says)
    assert.match(says, /^WARN products: expected, but in no record: .*imageBackUrl/m)
  })

  it("is looked at by doctor in the words of the file", async () => {
    const { stdout } = await doctor("--dialect", "whole.json")
    assert.match(stdout, /^ok +words +The products of emberfall match dialect spec\+mine@\w+: .* all understood$/m)
  })

  it("would be held where a file leaves the lowest prices where no table has them: the trial and doctor say so", async () => {
    const nowhere = fileWith("nolow.json", without("pricesByFinish.*.*.low", "prices.*.low"))
    const { code, stdout } = await tried(nowhere)
    assert.strictEqual(code, 1)
    assert.match(
      stdout,
      /^BAD {2}products: 100\.0 % of the products have price figures under keys that the contract does not know, so no table has them: pricesByFinish\.\*\.pacificUsd\.bounds \(no low beside it\), pricesByFinish\.\*\.sourceEur\.bounds \(no low beside it\)$/m
    )
    assert.match(
      (await doctor("--dialect", nowhere)).stdout,
      /^BAD +words +.* of the products have price figures under keys that the contract does not know, .*A night stores/m
    )
  })

  it("has records that would be refused doubted by doctor", async () => {
    const { stdout } = await doctor("--dialect", fileWith("noregion.json", without("pricesByFinish.*.*.regions.*.low")))
    assert.match(
      stdout,
      /^WARN +words +.*, but of this page \d+ records were refused \(.*, more than 1\.0 %.*\. A night holds the game if this is true/m
    )
  })

  it("has words that are lost shown with what they may be, and paths that no record has", async () => {
    const { code, stdout } = await tried(fileWith("norarity.json", without("rarity")))
    assert.strictEqual(code, 0)
    assert.match(
      stdout,
      /^WARN products: rarity is in no record, scarcity is in no table: the same field\? .*"rarity": "scarcity"$/m
    )
    assert.match(stdout, /^WARN products: in no table, only recorded: scarcity \(60\)$/m)
    const typo = await tried(fileWith("typo.json", (moved) => ({ ...moved, rarity: "scarcety" })))
    assert.match(typo.stdout, /^WARN products: moved: rarity: scarcety is in no record$/m)
  })

  it("has a size of pages that was never asked for called so, and one that is refused", async () => {
    for (const [offset, says] of [
      [61, /^WARN products: page size 61 was not tested: 200 is refused/m],
      [200, /^BAD {2}products: page size 200 is refused; 60 works$/m]
    ] as const) {
      writeFileSync(at("sized.json"), JSON.stringify({ ...file, pages: { offset } }))
      assert.match((await tried("sized.json")).stdout, says)
    }
  })
})
