import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { tmpdir } from "node:os"
import { gameId } from "../lake/invented.ts"
import { tried } from "../../tried.ts"
import { address, type TinyBucket, tinyBucket } from "./tinyBucket.ts"

type Stored = TinyBucket["store"]["objects"] extends Map<string, infer A> ? A : never

let tiny: TinyBucket
let saved: ReadonlyMap<string, Stored>
let sums: Awaited<ReturnType<TinyBucket["pulled"]>>

/** Eight nights, of which the first ones are in the month's part. */
beforeAll(async () => {
  tiny = await tinyBucket()
  for (let night = 0; night < 8; night++) {
    if (night > 0) await tiny.sandbox.deploy(gameId)
    const { code, stderr } = await tiny.run("nightly")
    assert.strictEqual(code, 0, stderr)
  }
  const { code, stderr } = await tiny.run("compact")
  assert.strictEqual(code, 0, stderr)
  saved = new Map(tiny.store.objects)
  sums = await tiny.pulled()
})
afterAll(() => tiny.stop())

const restored = () => {
  tiny.store.objects.clear()
  for (const [key, stored] of saved) tiny.store.objects.set(key, stored)
}

/** The last object whose key matches. */
const keyOf = (pattern: RegExp): string => {
  const key = [...saved.keys()].findLast((one) => pattern.test(one))
  assert.isDefined(key, String(pattern))
  return key
}
const urlOf = (key: string) => `s3://lakes/${key}`

const damages = {
  "is gone": (key: string) => tiny.store.objects.delete(key),
  "has other bytes": (key: string) => {
    const stored = tiny.store.objects.get(key)
    if (stored !== undefined) tiny.store.objects.set(key, { ...stored, body: Buffer.alloc(stored.body.length, "x") })
  },
  "is cut": (key: string) => {
    const stored = tiny.store.objects.get(key)
    if (stored !== undefined) tiny.store.objects.set(key, { ...stored, body: stored.body.subarray(0, -1) })
  }
}

interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
}
const wrong = async () =>
  (JSON.parse((await tiny.run("doctor", "--json")).stdout) as ReadonlyArray<Finding>).filter(({ ok }) => !ok)

const mendable = {
  "a table of the published snapshot": /\/snapshots\/.*\/products\.\w+\.parquet$/,
  "a manifest": /\/snapshots\/.*\/manifest\.\w+\.json$/,
  "a file of changes": /\/changes\/.*\/product_versions\.\w+\.parquet$/,
  "a difference": /\/changes\/.*\/diff\.\w+\.json$/,
  "the account of a month": /\/months\/.*\/part\.\w+\.json$/,
  "a changelog": /\/deployments\/.*\/deployments\.\w+\.parquet$/
}
const cases = Object.entries(mendable).flatMap(([what, pattern]) =>
  Object.entries(damages).map(([how, damage]) => ({ what, pattern, how, damage }))
)

for (const { damage, how, pattern, what } of tried(cases, (_, index) => index === 0 || index === 10)) {
  it(`a repair of a bucket makes ${what} again that ${how}, as another object, and nothing leaves the bucket`, async () => {
    restored()
    const key = keyOf(pattern)
    damage(key)
    const damaged = new Map(tiny.store.objects)
    const { code, stderr, stdout } = await tiny.run("doctor", "--repair")
    assert.strictEqual(code, 0, `${stdout}${stderr}`)
    assert.match(stdout, /^repaired: .*\n[1-9]\d* repaired, 0 left as they are\n$/s)
    for (const [one, stored] of damaged)
      if (one.includes("/attempt-")) assert.strictEqual(tiny.store.objects.get(one), stored, one)
    assert.deepStrictEqual(await wrong(), [])
    assert.deepStrictEqual(await tiny.pulled(), sums)
    assert.include((await tiny.run("doctor", "--repair")).stdout, "Nothing is damaged")
  })
}

it("doctor names objects of a bucket that are gone or of another size by their keys, with the next step", async () => {
  restored()
  const [gone, cut] = [keyOf(mendable["a table of the published snapshot"]), keyOf(mendable["a file of changes"])]
  damages["is gone"](gone)
  damages["is cut"](cut)
  const size = saved.get(cut)?.body.length ?? 0
  assert.strictEqual((await tiny.run("doctor")).code, 1)
  const next =
    "Restore it from a backup of the bucket, or repair what can be repaired with: cardlake doctor --home s3://lakes/tiny --repair"
  assert.sameDeepMembers(await wrong(), [
    { name: "objects", ok: false, says: `${urlOf(gone)} is damaged: it is gone. ${next}` },
    {
      name: "objects",
      ok: false,
      says: `${urlOf(cut)} is damaged: it has ${size - 1} bytes instead of ${size}. ${next}`
    }
  ])
})

it("a repair of a bucket that another runner overtakes begins again from there", async () => {
  restored()
  damages["is gone"](keyOf(mendable["a table of the published snapshot"]))
  const overtaken: Array<Promise<{ readonly code: number | null }>> = []
  tiny.store.state.before = async ({ method, url = "" }) => {
    if (overtaken.length > 0 || method !== "PUT" || !url.includes(`/games/${gameId}/game.json`)) return false
    overtaken.push(tiny.start("rollback", gameId, "--yes", "--why", "as a test").ended)
    await overtaken[0]
    return false
  }
  const { code, stderr, stdout } = await tiny.run("doctor", "--repair")
  tiny.store.state.before = () => false
  assert.strictEqual((await overtaken[0])?.code, 0)
  assert.strictEqual(code, 0, `${stdout}${stderr}`)
  assert.match(stderr, /Another runner changed hollowmere meanwhile/)
  assert.strictEqual(tiny.steps().at(-1)?.split(" ")[1], "rollback")
  assert.deepStrictEqual(await wrong(), [])
})

it(`a repair of ${address} that finds nothing damaged writes nothing`, async () => {
  restored()
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.deepStrictEqual([code, stdout], [0, "Nothing is damaged\n"])
  assert.deepStrictEqual(
    [...tiny.store.objects.keys()].filter((key) => !saved.has(key)),
    []
  )
})

it("a night that needs a damaged object of a bucket names it, and publishes once it is repaired", async () => {
  restored()
  const key = keyOf(mendable["a table of the published snapshot"])
  damages["has other bytes"](key)
  await tiny.sandbox.deploy(gameId)
  const { code, stdout } = await tiny.run("nightly")
  assert.strictEqual(code, 1)
  assert.include(stdout, `Read ${urlOf(key)} failed: its bytes are not those that its name says.`)
  assert.include(stdout, "repair what can be repaired with: cardlake doctor --repair")
  assert.notInclude(stdout, tmpdir())
  assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
  assert.include((await tiny.run("nightly")).stdout, "1 published")
})
