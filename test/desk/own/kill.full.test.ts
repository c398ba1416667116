import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Home } from "../../../src/store/home/Home.ts"
import { startCardlake } from "../../pipelines/cli.ts"
import { imported, ownRows, Shelf } from "./Shelf.ts"
import { suite } from "../../support/suite.ts"

const cards = (quantity: number) => `product_id,finish,quantity\n1,Foil,${quantity}\n`

/** Resolves once a folder has a name that was not there; false where the program ended before. */
const appears = async (folder: string, isIt: (name: string) => boolean, ended: Promise<unknown>): Promise<boolean> => {
  const over = ended.then(() => true)
  for (;;) {
    if (existsSync(folder) && readdirSync(folder).some(isIt)) return true
    if (await Promise.race([over, setTimeout(0, false)])) return false
  }
}

suite(Shelf.layer, "an import that is killed with no warning", (it) => {
  it("leaves the old cards or the new ones whole, and the next import removes what it left", function* () {
    const { folder } = yield* Shelf
    const { own, root } = yield* Home
    yield* imported("binder", cards(1))
    const imports = join(own, "imports")
    const outcomes = new Set<string>()
    let quantity = 1
    for (let round = 0; round < 24; round++) {
      const before = new Set(readdirSync(imports))
      const file = join(folder, "binder.csv")
      writeFileSync(file, cards(++quantity))
      const { ended, process } = startCardlake(["collection", "import", file, "--home", root])
      // While the cards are written, once the folder is whole, and some moments after either.
      const isWhole = round % 2 === 1
      const isNew = (name: string) => !before.has(name) && name.endsWith(".part") !== isWhole
      yield* Effect.promise(async () => {
        if (await appears(imports, isNew, ended)) await setTimeout(Math.floor(round / 4) * (isWhole ? 2 : 12))
        process.kill("SIGKILL")
        await ended
      })
      const [counted = ""] = yield* ownRows("select cards from collection_cards where collection = 'binder'")
      assert.include([`${quantity}`, `${quantity - 1}`], counted, `round ${round}`)
      const litter = readdirSync(imports).filter((name) => name.endsWith(".part"))
      outcomes.add(`${counted === `${quantity}` ? "new" : "old"}, ${litter.length === 0 ? "clean" : "litter"}`)
      yield* imported("binder", cards(quantity))
      // What counts now, and what counted before.
      assert.lengthOf(readdirSync(imports), 2, `round ${round}`)
      assert.deepStrictEqual(yield* ownRows("select cards from collection_cards where collection = 'binder'"), [
        `${quantity}`
      ])
    }
    assert.isTrue(outcomes.has("old, litter"), [...outcomes].join("; "))
    console.log(`killed imports left: ${[...outcomes].join("; ")}`)
  })
})
