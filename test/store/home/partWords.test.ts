import { afterAll, assert, it } from "@effect/vitest"
import { gameId } from "../lake/invented.ts"
import { tinyBucket } from "./tinyBucket.ts"

const tiny = await tinyBucket()
afterAll(tiny.stop)

it("a part of a night is ready, and not published, until the night is; then it says so", async () => {
  const night = (await tiny.run("plan", "--id")).stdout.trim()
  const part = () => tiny.run("nightly", gameId, "--part-of", night)
  const first = await part()
  assert.match(first.stdout, new RegExp(`^${gameId} +ready `, "m"))
  assert.match(first.stdout, /^1 game in .*: 1 ready \(run /m)
  assert.include(first.stderr, `${gameId}: ready\n`)
  assert.notMatch(`${first.stdout}${first.stderr}`, /\bpublish(ed|ing)(?! with the others)/)
  assert.include(first.stdout, `${gameId} is done. It is published with the others by: cardlake publish ${night}`)
  const again = await part()
  assert.match(again.stdout, /^1 game in .*: 1 ready /m)
  assert.include(again.stdout, "a runner has done this already. It is published with the others by: cardlake publish")
  assert.strictEqual((await tiny.run("publish", night)).code, 0)
  const later = await part()
  assert.match(later.stdout, new RegExp(`^${gameId} +published `, "m"))
  assert.include(later.stdout, "Nothing was read: a runner has done this already, and the night was published\n")
  assert.notInclude(later.stdout, "cardlake publish")
})
