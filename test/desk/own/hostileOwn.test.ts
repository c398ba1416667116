import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { readOwn } from "../../../src/desk/own/Own.ts"
import { removeCollection, restoreCollection } from "../../../src/desk/own/restoreCollection.ts"
import { hostileCases, withSum } from "../../safety/hostileTexts.ts"
import { imported, ownRows, Shelf } from "./Shelf.ts"
import { suite } from "../../support/suite.ts"

/** True if a run ends with a defect, which would be a stack trace. */
const dies = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(run), (ended) => Exit.isFailure(ended) && Cause.hasDies(ended.cause))

suite(Shelf.layer, "a collections.json that somebody changed", (it) => {
  it("leads no change outside of own, and is damaged where it names no import", function* () {
    const own = (yield* Home).own
    yield* imported("binder", "product_id,finish,quantity\n1,Foil,2\n")
    yield* imported("binder", "product_id,finish,quantity\n9,,5\n")
    const file = join(own, "collections.json")
    const { sha256: _, ...document } = JSON.parse(readFileSync(file, "utf8")) as { readonly sha256: string }
    const outside = join(dirname(own), "escaped")
    mkdirSync(outside)
    writeFileSync(join(outside, "kept"), "mine")
    const around = () =>
      readdirSync(dirname(own), { recursive: true }).filter((name) => !String(name).startsWith("own"))
    const before = around()
    for (const { document: changed, said } of hostileCases(document, outside, 12)) {
      writeFileSync(file, withSum(changed as object))
      const runs = [
        dies(restoreCollection("binder")),
        dies(ownRows("from collection_cards")),
        dies(removeCollection("binder")),
        dies(readOwn)
      ] as const
      for (const died of yield* Effect.all(runs)) assert.isFalse(died, said)
      assert.deepStrictEqual(around(), before, said)
    }
  })
})
