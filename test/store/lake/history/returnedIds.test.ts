import { assert } from "@effect/vitest"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card, sealed } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

const ids = (id: number) => ({ externalIds: { sourceEur: [{ finish: "Standard", id }] } })
const other = { name: "Reed Viper", nameSlug: "reed-viper", printNumber: "9" }

testIn(emptyHome)(
  "reused_ids compares an id that came back with the ids in other systems that it had when it went",
  function* () {
    yield* publishNights([
      { products: [card(1, ids(10)), card(2, ids(20)), card(3)] },
      { products: [card(3)] },
      { products: [sealed(1, ids(10)), card(2, { ...other, ...ids(21) }), card(3)] }
    ])
    // 1 has its id in the other system still; 2 has another one, and another name and number.
    assert.deepStrictEqual(yield* lakeRows("select product_id::integer as id from reused_ids"), [{ id: 2 }])
  }
)
