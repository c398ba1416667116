import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { card, expansion } from "../lake/invented.ts"
import { said, type TinyBucket, tinyBucket } from "./tinyBucket.ts"

type Stored = TinyBucket["store"]["objects"] extends Map<string, infer A> ? A : never

const [lost, other] = ["cedar", "maple"]

const gameOf = (gameId: string) =>
  [1, 2].map((day) => ({
    expansions: [expansion(1, { gameId })],
    products: [1, 2, 3].map((id) =>
      card(id, {
        gameId,
        game: { id: gameId, name: gameId },
        pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: day + id } } }
      })
    )
  }))

let tiny: TinyBucket
let saved: ReadonlyMap<string, Stored>

/** A night of two games, and a deployment of both since. */
beforeAll(async () => {
  tiny = await tinyBucket({ [lost]: gameOf(lost), [other]: gameOf(other) })
  assert.strictEqual((await tiny.run("nightly")).code, 0)
  for (const game of [lost, other]) await tiny.sandbox.deploy(game)
  saved = new Map(tiny.store.objects)
})
afterAll(() => tiny.stop())
beforeEach(() => {
  tiny.store.objects.clear()
  for (const [key, stored] of saved) tiny.store.objects.set(key, stored)
})

const ofLost = () => [...tiny.store.objects.keys()].filter((key) => key.includes(`/games/${lost}/`)).toSorted()
const spoil = (key: string) => {
  const stored = tiny.store.objects.get(key)
  if (stored !== undefined) tiny.store.objects.set(key, { ...stored, body: Buffer.from("rubbish") })
}

const loseLast = (kind: string): string => {
  const key = ofLost().findLast((one) => one.includes(kind)) ?? ""
  assert.isTrue(tiny.store.objects.delete(key))
  return key
}

const gameKey = `tiny/games/${lost}/game.json`
const harms = {
  "document is gone": (): string => (tiny.store.objects.delete(gameKey), gameKey),
  "document is damaged": (): string => (spoil(gameKey), gameKey),
  "state is gone": () => loseLast("/state/"),
  "month is gone": () => loseLast("/month/")
}
/** What the game's document does not say: whoever reads the game notices that it is lost, and nobody else. */
const isBelow = (what: string) => /state|month/.test(what)

for (const [what, harm] of Object.entries(harms))
  describe(`a game whose ${what}`, () => {
    it("fails alone in a night of all games, which names it", async () => {
      const url = `s3://lakes/${harm()}`
      const before = ofLost()
      const { code, stdout } = await tiny.run("nightly", "--json")
      assert.strictEqual(code, 4)
      assert.deepStrictEqual(said({ stdout }), [`${lost} failed`, `${other} published`])
      const { games } = JSON.parse(stdout) as { games: ReadonlyArray<{ gameId: string; reason: string | null }> }
      assert.include(games.find(({ gameId }) => gameId === lost)?.reason, `Read ${url} failed: it is`)
      assert.deepStrictEqual(ofLost(), before)
      const runs = JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<{ verdict: string }>
      assert.strictEqual(runs.length, 2)
    })

    it("ends a night of its own with 1, which changes nothing", async () => {
      const url = `s3://lakes/${harm()}`
      const keys = () => [...tiny.store.objects.keys()].filter((key) => !key.includes("/probes/")).toSorted()
      const before = keys()
      const { code, stderr } = await tiny.run("nightly", lost)
      assert.strictEqual(code, 1)
      assert.include(stderr, `Read ${url} failed: it is`)
      assert.deepStrictEqual(keys(), before)
    })

    it("fails alone in a night in parts", async () => {
      const url = `s3://lakes/${harm()}`
      const before = ofLost()
      const planned = await tiny.run("plan", "--json")
      assert.strictEqual(planned.code, 0, planned.stderr)
      const { games, night } = JSON.parse(planned.stdout) as {
        games: ReadonlyArray<{ gameId: string }>
        night: string
      }
      assert.sameMembers(
        games.map(({ gameId }) => gameId),
        [lost, other]
      )
      const part = await tiny.run("nightly", lost, "--part-of", night)
      assert.strictEqual(part.code, 1)
      assert.include(part.stderr, `Read ${url} failed: it is`)
      assert.strictEqual((await tiny.run("nightly", other, "--part-of", night)).code, 0)
      const published = await tiny.run("publish", night, "--json")
      assert.deepStrictEqual(ofLost(), before)
      assert.strictEqual(published.code, isBelow(what) ? 75 : 4)
      assert.deepStrictEqual(said(published), [`${lost} ${isBelow(what) ? "waiting" : "failed"}`, `${other} published`])
    })
  })
