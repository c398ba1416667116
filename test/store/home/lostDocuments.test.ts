import { assert, beforeAll, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { card, expansion } from "../lake/invented.ts"
import { cardlake } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { said, savedBucket } from "./tinyBucket.ts"

const [lost, other] = ["cedar", "maple"]
const lakeKey = "tiny/lake.json"
const gameKey = `tiny/games/${lost}/game.json`

const gameOf = (gameId: string) =>
  [1, 2, 3, 4].map((day) => ({
    expansions: [expansion(1, { gameId })],
    products: [1, 2, 3].map((id) =>
      card(id, {
        gameId,
        game: { id: gameId, name: gameId },
        pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: day + id } } }
      })
    )
  }))

/** Two nights of two games, and exchange rates. */
const { keyOf, lose, saved, spoil, sums, tiny, urlOf } = await savedBucket(
  async ({ run, sandbox, work }) => {
    await run("nightly")
    for (const game of [lost, other]) await sandbox.deploy(game)
    const { code, stderr } = await run("nightly")
    assert.strictEqual(code, 0, stderr)
    const rates = join(work, "rates.csv")
    writeFileSync(rates, "Date,USD\n2026-08-20,1.1\n")
    assert.strictEqual((await run("fx", rates)).code, 0)
  },
  { [lost]: gameOf(lost), [other]: gameOf(other) }
)
const runs = (await tiny.run("runs", "--json")).stdout

const keys = () => [...tiny.store.objects.keys()].filter((key) => !key.includes("/probes/")).toSorted()
const repaired = async () => {
  const { code, stdout } = await tiny.run("doctor", "--repair", "--json")
  return { code, ...(JSON.parse(stdout) as { done: ReadonlyArray<string>; left: ReadonlyArray<string> }) }
}
const again = "Make it again with: cardlake doctor --repair"
const againThere = "Make it again with: cardlake doctor --home s3://lakes/tiny --repair"
const onlyBackup = "Restore it from a backup of the bucket: nothing else has what it says"

it("doctor notices that lake.json is gone", async () => {
  lose(lakeKey)
  assert.strictEqual((await tiny.run("doctor")).code, 1)
  assert.include(await tiny.wrong(), `${urlOf(lakeKey)} is damaged: it is gone. ${againThere}`)
})

it("a bucket in which nothing was published has no lake.json, and doctor says nothing of it", async () => {
  for (const key of keys()) if (!key.startsWith(`tiny/games/${lost}/`)) lose(key)
  assert.notInclude((await tiny.wrong()).join(), "lake.json")
  tiny.store.objects.clear()
  assert.deepStrictEqual(await tiny.wrong(), [])
})

const readers = [["pull", "--to", "/dev/null/copy"], ["runs"], ["diff", lost], ["snapshots"]]
for (const command of tried(readers, (_, index) => index < 2))
  it(`cardlake ${command[0]} says that lake.json is gone, and not that nothing was published`, async () => {
    lose(lakeKey)
    const { code, stderr } = await tiny.run(...command)
    assert.strictEqual(code, 1)
    assert.include(stderr, `Read ${urlOf(lakeKey)} failed: it is gone. ${again}`)
  })

it("a repair makes lake.json again from the documents of the games, with reports and exchange rates", async () => {
  lose(lakeKey)
  const { code, done, left } = await repaired()
  assert.deepStrictEqual([code, left], [0, []])
  assert.deepStrictEqual(done, [`${urlOf(lakeKey)} is made again from the games' documents`])
  assert.deepStrictEqual(await tiny.wrong(), [])
  assert.deepStrictEqual(await tiny.pulled(), sums)
  assert.strictEqual((await tiny.run("runs", "--json")).stdout, runs)
  const copy = join(tiny.work, "with-rates")
  await tiny.run("pull", "--to", copy)
  const asked = await cardlake(["query", "select count(*) as rates from fx_rates", "--json"], { env: tiny.env(copy) })
  assert.deepStrictEqual(JSON.parse(asked.stdout), [{ rates: 1 }])
})

it("a night of one game that finds no lake.json makes it again for all of them, and says so", async () => {
  lose(lakeKey)
  const { code, stderr } = await tiny.run("nightly", lost)
  assert.strictEqual(code, 0)
  assert.include(stderr, `${urlOf(lakeKey)} was gone. It is made again from the games' documents`)
  assert.deepStrictEqual((await tiny.pulled()).length, sums.length)
  assert.sameMembers([...new Set(tiny.steps().map((step) => step.split(" ")[0]))], [lost, other])
})

it("a night that is planned without lake.json keeps what is published", async () => {
  lose(lakeKey)
  assert.strictEqual((await tiny.run("plan")).code, 0)
  assert.deepStrictEqual(await tiny.pulled(), sums)
})

it("a repair makes a game's document again from what is published, and the next night goes on from there", async () => {
  lose(gameKey)
  const { code, done, left } = await repaired()
  assert.deepStrictEqual([code, left], [0, []])
  assert.deepStrictEqual(done, [`${urlOf(gameKey)} is made again from what is published`])
  assert.deepStrictEqual(await tiny.wrong(), [])
  assert.deepStrictEqual(await tiny.pulled(), sums)
  assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${lost} unchanged`, `${other} unchanged`])
})

it("a game whose document is gone with lake.json does not begin anew", async () => {
  lose(gameKey, lakeKey)
  const before = keys()
  for (const command of [["nightly"], ["nightly", other], ["doctor", "--repair"]]) {
    const { code, stderr } = await tiny.run(...command)
    assert.strictEqual(code, 1, command.join(" "))
    assert.include(stderr, `Read ${urlOf(gameKey)} failed: it is gone. ${onlyBackup}`)
    assert.isFalse(tiny.store.objects.has(lakeKey))
  }
  assert.deepStrictEqual(
    keys().filter((key) => key.includes(lost)),
    before.filter((key) => key.includes(lost))
  )
})

it("doctor names every document that is gone or damaged, and a repair mends the other games", async () => {
  const [state, month] = [keyOf(/\/cedar\/state\//), keyOf(/\/maple\/month\//)]
  lose(state)
  spoil(month, "{}")
  assert.sameMembers(
    (await tiny.wrong()).filter((says) => says.includes("is damaged")),
    [
      `${urlOf(state)} is damaged: it is gone. ${onlyBackup}`,
      `${urlOf(month)} is damaged: its bytes are not those that its name says. ${onlyBackup}`
    ]
  )
  spoil(month, saved.get(month)?.body)
  lose(keyOf(/\/maple\/changes\/.*\/diff\.\w+\.json$/))
  const { code, done, left } = await repaired()
  assert.strictEqual(code, 1)
  assert.deepStrictEqual(left, [`${urlOf(state)} is damaged: it is gone. ${onlyBackup}`])
  assert.match(done.join(), /^snapshot maple \S+ is as it was written$/)
})

for (const [what, harm] of Object.entries({ gone: lose, damaged: (key: string) => spoil(key, "{}") }))
  it(`a list of runs that is ${what} stops a night, and a repair makes it again from the runs' reports`, async () => {
    const list = keyOf(/\/shared\/runs\/.*\/runs\.\w+\.json$/)
    harm(list)
    assert.match((await tiny.wrong()).join("\n"), new RegExp(`${urlOf(list)} is damaged: .*${againThere}`))
    assert.match((await tiny.run("nightly")).stderr, new RegExp(`Read ${urlOf(list)} failed: .*${again}`))
    const done = [`${urlOf(list)} is made again from the reports of its runs`]
    assert.deepStrictEqual(await repaired(), { code: 0, done, left: [] })
    const after = [await tiny.wrong(), (await tiny.run("runs", "--json")).stdout, await tiny.pulled()]
    assert.deepStrictEqual(after, [[], runs, sums])
    assert.strictEqual((await tiny.run("nightly")).code, 0)
  })

const documents = {
  "a game's document": /\/cedar\/game\.json$/,
  "a state": /\/cedar\/state\//,
  "a month": /\/cedar\/month\//,
  "a list of pages": /\/cedar\/list\//
}
for (const [what, pattern] of tried(Object.entries(documents), (_, index) => index < 2))
  it(`prune deletes nothing, however old, where ${what} is gone`, async () => {
    lose(keyOf(pattern))
    const before = keys()
    for (let week = 1; week < 4; week++) {
      tiny.store.state.clock = week * 8 * 24 * 3600 * 1000
      const { code, stderr } = await tiny.run("prune", "--keep-last", "5", "--yes")
      assert.strictEqual(code, 1)
      assert.include(stderr, `failed: it is gone. ${what === "a game's document" ? "Make" : "Restore"} it`)
    }
    tiny.store.state.clock = 0
    assert.deepStrictEqual(
      before.filter((key) => !tiny.store.objects.has(key)),
      []
    )
  })

it("a night during which lake.json goes does not publish its game without the others", async () => {
  tiny.store.state.before = ({ method, url = "" }) => {
    if (method === "PUT" && url.includes(`/games/${lost}/game.json`)) tiny.store.objects.delete(lakeKey)
    return false
  }
  await tiny.sandbox.deploy(lost)
  const { code, stderr } = await tiny.run("nightly", lost)
  tiny.store.state.before = () => false
  assert.strictEqual(code, 1)
  assert.include(stderr, `Read ${urlOf(lakeKey)} failed: it is gone. ${again}`)
  assert.strictEqual((await tiny.run("nightly", lost)).code, 0)
  assert.sameMembers([...new Set(tiny.steps().map((step) => step.split(" ")[0]))], [lost, other])
})

const ofLost = () => [...tiny.store.objects.keys()].filter((key) => key.includes(`/games/${lost}/`)).toSorted()
const loseLast = (kind: string): string => {
  const key = ofLost().findLast((one) => one.includes(kind)) ?? ""
  lose(key)
  return key
}

const harms = {
  "document is gone": (): string => (lose(gameKey), gameKey),
  "document is damaged": (): string => (spoil(gameKey, "rubbish"), gameKey),
  "state is gone": () => loseLast("/state/"),
  "month is gone": () => loseLast("/month/")
}
/** What the game's document does not say: whoever reads the game notices that it is lost, and nobody else. */
const isBelow = (what: string) => /state|month/.test(what)

describe("with a deployment of both games since", () => {
  beforeAll(async () => {
    for (const game of [lost, other]) await tiny.sandbox.deploy(game)
  })
  for (const [what, harm] of Object.entries(harms))
    describe(`a game whose ${what}`, () => {
      it("fails alone in a night of all games, which names it", async () => {
        const url = urlOf(harm())
        const before = ofLost()
        const { code, stdout } = await tiny.run("nightly", "--json")
        assert.strictEqual(code, 4)
        assert.deepStrictEqual(said({ stdout }), [`${lost} failed`, `${other} published`])
        const { games } = JSON.parse(stdout) as { games: ReadonlyArray<{ gameId: string; reason: string | null }> }
        assert.include(games.find(({ gameId }) => gameId === lost)?.reason, `Read ${url} failed: it is`)
        assert.deepStrictEqual(ofLost(), before)
        const after = JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<unknown>
        assert.strictEqual(after.length, (JSON.parse(runs) as ReadonlyArray<unknown>).length + 1)
      })

      it("ends a night of its own with 1, which changes nothing", async () => {
        const url = urlOf(harm())
        const before = keys()
        const { code, stderr } = await tiny.run("nightly", lost)
        assert.strictEqual(code, 1)
        assert.include(stderr, `Read ${url} failed: it is`)
        assert.deepStrictEqual(keys(), before)
      })

      it("fails alone in a night in parts", async () => {
        const url = urlOf(harm())
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
        assert.deepStrictEqual(said(published), [
          `${lost} ${isBelow(what) ? "waiting" : "failed"}`,
          `${other} published`
        ])
      })
    })
})
