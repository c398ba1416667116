import { assert } from "@effect/vitest"
import { Lake } from "../../../../src/store/lake/duckdb/Lake.ts"
import { emptyHome } from "../handMadeNights.ts"
import { suite } from "../../../support/suite.ts"

suite(emptyHome, "a text of the feed", (it) => {
  it("comes back from DuckDB as it was, whatever characters it has", function* () {
    const texts = ["", "'", "''; drop table x; --", "a\0b", "\0", "'\0'", "\\\0\n", "$1 {x} ünï 🂡", "${a}"]
    const session = yield* (yield* Lake).session
    yield* session.set({ texts })
    assert.deepStrictEqual(
      yield* session.rows("Read", "select unnest(getvariable('texts')) as text"),
      texts.map((text) => ({ text }))
    )
    for (const text of texts) {
      yield* session.set({ text })
      assert.deepStrictEqual(yield* session.rows("Read", "select getvariable('text') as text"), [{ text }])
    }
  })
})
