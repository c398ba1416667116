import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { against } from "../client/StrangeServer.ts"
import { idOf } from "../../store/lake/invented.ts"
import { card } from "../rows/records.ts"
import { serve } from "./feed.ts"
import { live } from "../../support/suite.ts"

const priced = (word: string) => ({ pricesByFinish: { Foil: { [word]: { currency: "EUR", low: 1 } } } })
const cards = (word: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => card(from + index, priced(word)))

/** What becomes of a game of 450 cards whose feed says these, round by round. */
const reading = (products: (round: number) => ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = `${yield* fs.makeTempDirectoryScoped()}/raw/fable/r1`
    const read = extractGame({ gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId: null })
    return yield* Effect.result(read)
  }).pipe(Effect.scoped, against(serve({ products })), Effect.provide(NodeFileSystem.layer))

describe("a feed that changes its words", () => {
  live("between two pages is read again, and kept in the words that it stays in", function* () {
    const read = yield* reading((round) =>
      round === 1 ? [...cards("sourceEur", 1, 200), ...cards("cardmarket", 201, 250)] : cards("cardmarket", 1, 450)
    )
    const { dialect, products, rounds, unknownKeys } = yield* Effect.fromResult(read)
    assert.deepStrictEqual([rounds, dialect, products, unknownKeys], [2, "live", 450, []])
  })

  live("between two pages of every round is held, and says where", function* () {
    const read = yield* reading(() => [...cards("sourceEur", 1, 200), ...cards("cardmarket", 201, 250)])
    const { message } = yield* Effect.flip(Effect.fromResult(read))
    assert.include(
      message,
      "page 2 of the products uses the names of live (cardmarket), but earlier pages use those of spec (sourceEur)"
    )
  })

  live("from July's to today's is not confused by ids, which both have", function* () {
    const withIds = (id: number) => card(id, { externalIds: { scryfallId: `s-${id}` } })
    const read = yield* reading(() => [
      ...Array.from({ length: 200 }, (_, index) => withIds(index + 1)),
      ...cards("eur", 201, 250)
    ])
    const { dialect, rounds } = yield* Effect.fromResult(read)
    assert.deepStrictEqual([rounds, dialect], [1, "live-july"])
  })

  live("is in no dialect while no product has a price or an id", function* () {
    const read = yield* reading(() => Array.from({ length: 450 }, (_, index) => card(index + 1)))
    assert.notProperty(yield* Effect.fromResult(read), "dialect")
  })
})
