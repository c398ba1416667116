import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { LakeError } from "../../../../src/feed/reading/LakeError.ts"
import { namingDamage } from "../../../../src/store/lake/repair/damages.ts"
import { emptyHome, snapshotOf } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { effect } from "../../../support/suite.ts"

const said = (low: number) => ({ products: [card(1, { name: `Eel ${low}` })] })
const failing = Effect.flip(namingDamage(Effect.fail(new LakeError({ step: "Compare", cause: "Binder Error" }))))

effect("an error of DuckDB stays beside damage, and no damage are changes that are not computed yet", () =>
  Effect.gen(function* () {
    const first = yield* snapshotOf("a", said(1))
    yield* snapshotOf("b", said(2), first)
    assert.strictEqual((yield* failing).message, "Compare failed: Binder Error")
    writeFileSync(join(first.folder, "products.parquet"), "other")
    assert.match((yield* failing).message, /products\.parquet .*; Compare failed: Binder Error$/)
  }).pipe(Effect.provide(emptyHome))
)
