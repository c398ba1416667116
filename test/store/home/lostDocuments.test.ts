import { homeFormat } from "../../../src/store/home/HomeMarker.ts"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { repricedGame } from "../lake/invented.ts"
import { cardlake } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { lakeSums } from "./lakeSums.ts"
import { said, savedBucket } from "./tinyBucket.ts"

const [lost, other] = ["cedar", "maple"]
const lakeKey = "tiny/lake.json"
const gameKey = `tiny/games/${lost}/game.json`

/** The bucket after its first night. */
let afterOne = new Map<string, { readonly body: Buffer; readonly tag: string; readonly at: Date }>()

/** Two nights of two games, and exchange rates. */
const { documents, keyOf, lose, saved, spoil, sums, tiny, urlOf } = await savedBucket(
  async ({ run, sandbox, store, work }) => {
    await run("nightly")
    afterOne = new Map(store.objects)
    for (const game of [lost, other]) await sandbox.deploy(game)
    const { code, stderr } = await run("nightly")
    assert.strictEqual(code, 0, stderr)
    const rates = join(work, "rates.csv")
    writeFileSync(rates, "Date,USD\n2026-08-20,1.1\n")
    assert.strictEqual((await run("fx", rates)).code, 0)
  },
  { [lost]: repricedGame(lost), [other]: repricedGame(other) }
)
const runs = (await tiny.run("runs", "--json")).stdout
const whole = {
  newest: await documents.read(),
  published: await documents.read({ of: "published" }),
  other: await documents.read({ games: [other] })
}

const keys = () => [...tiny.store.objects.keys()].filter((key) => !key.includes("/probes/")).toSorted()
const again = "Rebuild it with: cardlake doctor --repair"
const onlyBackup = "Restore it from a backup of the bucket: there is no other copy"
const removeIt =
  "If a later version of Cardlake wrote it, update Cardlake; else remove it and rebuild it with: cardlake doctor --repair"

interface Document {
  readonly pattern: RegExp
  /** What can no longer be read: what is published, the newest of all games, or the newest of this game alone. */
  readonly stops: ReadonlyArray<"published" | "newest" | "game">
  /** What a repair does with it; null: it leaves it. */
  readonly made: string | null
}

const lakeDocument: Document = {
  pattern: /\/lake\.json$/,
  stops: ["published", "newest"],
  made: "is rebuilt from the games' documents"
}
const gameDocument: Document = {
  pattern: /\/cedar\/game\.json$/,
  stops: ["game"],
  made: "is rebuilt from what is published"
}
const listOfRuns: Document = {
  pattern: /\/shared\/runs\/.*\/runs\.\w+\.json$/,
  stops: ["published", "newest"],
  made: "is rebuilt from the reports of its runs"
}
const state: Document = { pattern: /\/cedar\/state\//, stops: ["published", "game"], made: null }
const month: Document = { pattern: /\/cedar\/month\//, stops: ["published", "game"], made: null }
const listOfPages: Document = { pattern: /\/cedar\/list\//, stops: [], made: null }
const swapped = [lakeDocument, gameDocument]
const named = [listOfRuns, state, month, listOfPages]

interface Harm {
  readonly how: string
  readonly of: ReadonlyArray<Document>
  readonly harm: (key: string) => void
  readonly reason: string
  /** Whether a repair leaves the document as well, until somebody removes it. */
  readonly isForeign?: true
}

const harms: ReadonlyArray<Harm> = [
  { how: "is gone", of: [...swapped, ...named], harm: lose, reason: "it is missing" },
  {
    how: "has other bytes",
    of: named,
    harm: (key) => spoil(key, "{}"),
    reason: "its bytes do not match the checksum in its name"
  },
  {
    how: "is from before the last publication",
    of: [gameDocument],
    harm: (key) => spoil(key, afterOne.get(key)?.body),
    reason: "it is older than what is published"
  },
  ...["rubbish", `{"format":${homeFormat}}\n`, "{"].map((text): Harm => ({
    how: `says ${text.trim()}`,
    of: swapped,
    harm: (key) => spoil(key, text),
    reason: "its content is not Cardlake's",
    isForeign: true
  }))
]

const cases = harms.flatMap(({ of, ...harm }) => of.map((document) => ({ ...harm, ...document })))
/** Of documents with other bytes the state; of strange ones one text each. */
const few = (_: unknown, index: number) => ![6, 8, 9, 13, 14, 15].includes(index)
for (const { harm, how, isForeign = false, made, pattern, reason, stops } of tried(cases, few))
  it(`a document ${pattern.source} that ${how} is named, stops its readers, and is left or made again by a repair`, async () => {
    const key = keyOf(pattern)
    harm(key)
    const before = keys()
    const next = isForeign ? removeIt : made === null ? onlyBackup : again
    const damaged = `${urlOf(key)} is damaged: ${reason}. ${next}`
    const failed = `Read ${urlOf(key)} failed: ${reason}. ${next}`
    assert.deepStrictEqual(await documents.damaged(), [damaged])

    const published = await documents.read({ of: "published", leavesLost: false })
    assert.deepStrictEqual(published, stops.includes("published") ? failed : whole.published)
    const withoutGame = [...whole.other, `${lost}: ${failed}`].toSorted()
    const newest = stops.includes("game") ? withoutGame : whole.newest
    assert.deepStrictEqual(await documents.read(), stops.includes("newest") ? failed : newest)
    if (stops.includes("game")) assert.strictEqual(await documents.read({ games: [lost] }), failed)

    const text = tiny.store.objects.get(key)?.body
    for (const weeks of [1, 3])
      assert.strictEqual(await documents.sweep(Date.now() + weeks * 8 * 24 * 3600 * 1000), failed)
    if (isForeign) {
      assert.strictEqual(await documents.repair(), failed)
      assert.strictEqual(tiny.store.objects.get(key)?.body, text)
    }
    assert.deepStrictEqual(keys(), before)

    if (isForeign) lose(key)
    const repaired = await documents.repair()
    if (made === null) return assert.deepInclude(repaired, { done: [], left: [damaged] })
    assert.deepInclude(repaired, { done: [`${urlOf(key)} ${made}`], left: [] })
    assert.deepStrictEqual([await documents.damaged(), await documents.read()], [[], whole.newest])
  })

it("a game that only a changed lake.json names is named, with what to do if it never was", async () => {
  const text = String(saved.get(lakeKey)?.body).replace(`"${lost}"`, `"x${lost.slice(1)}"`)
  spoil(lakeKey, text)
  const next =
    /games\/xedar\/state\S+ is damaged: it is missing\. .* If there never was such a game, remove lake\.json and rebuild it with: cardlake doctor/
  assert.match((await documents.damaged()).join("\n"), next)
  assert.match(JSON.stringify(await documents.repair()), next)
  lose(lakeKey)
  await documents.repair()
  assert.deepStrictEqual([await documents.damaged(), await documents.read()], [[], whole.newest])
})

it("a game whose document is gone with lake.json does not begin anew, not even after its first night", async () => {
  for (const objects of [saved, afterOne]) {
    tiny.store.objects.clear()
    for (const [key, stored] of objects) tiny.store.objects.set(key, stored)
    lose(lakeKey, gameKey)
    assert.deepStrictEqual(await documents.damaged(), [
      `${urlOf(gameKey)} is damaged: it is missing. ${onlyBackup}`,
      `${urlOf(lakeKey)} is damaged: it is missing. Restore it from a backup of the bucket, or first the missing documents of games; then rebuild the rest with: cardlake doctor --repair`
    ])
    const before = keys()
    for (const command of [["nightly"], ["nightly", other], ["doctor", "--repair"]]) {
      const { code, stderr } = await tiny.run(...command)
      assert.strictEqual(code, 1, command.join(" "))
      assert.include(stderr, `Read ${urlOf(gameKey)} failed: it is missing. ${onlyBackup}`)
    }
    assert.isFalse(tiny.store.objects.has(lakeKey))
    const ofLost = (key: string) => key.includes(lost)
    assert.deepStrictEqual(keys().filter(ofLost), before.filter(ofLost))
  }
  // What was advised works.
  tiny.store.objects.set(gameKey, afterOne.get(gameKey)!)
  await documents.repair()
  assert.deepStrictEqual(await documents.damaged(), [])
})

it("a bucket in which nothing was published has no lake.json, and nothing is said of it", async () => {
  for (const key of keys()) if (!key.startsWith(`tiny/games/${lost}/`)) lose(key)
  assert.notInclude((await documents.damaged()).join(), "lake.json")
  tiny.store.objects.clear()
  assert.deepStrictEqual(await documents.damaged(), [])
})

it("commands say what is gone, and what to do: doctor, runs and pull", async () => {
  lose(lakeKey)
  assert.deepStrictEqual(await tiny.wrong(), [
    `${urlOf(lakeKey)} is damaged: it is missing. Rebuild it with: cardlake doctor --home s3://lakes/tiny --repair`
  ])
  for (const command of [["runs"], ["pull", "--to", "/dev/null/copy"]]) {
    const { code, stderr } = await tiny.run(...command)
    assert.strictEqual(code, 1)
    assert.include(stderr, `Read ${urlOf(lakeKey)} failed: it is missing. ${again}`)
  }
})

it("a repair mends other games and names what it left, without which nothing is pruned", async () => {
  const gone = keyOf(state.pattern)
  lose(gone, keyOf(/\/maple\/changes\/.*\/diff\.\w+\.json$/))
  const { code, stdout } = await tiny.run("doctor", "--repair", "--json")
  const { done, left } = JSON.parse(stdout) as { done: ReadonlyArray<string>; left: ReadonlyArray<string> }
  assert.deepStrictEqual([code, left], [1, [`${urlOf(gone)} is damaged: it is missing. ${onlyBackup}`]])
  assert.match(done.join(), /^snapshot maple \S+ is rebuilt$/)
  const pruned = await tiny.run("prune", "--keep-last", "5", "--yes")
  assert.deepStrictEqual([pruned.code, pruned.stderr.includes(`Read ${urlOf(gone)} failed: it is missing.`)], [1, true])
})

it("a copy of a bucket whose documents were made again has its rows, runs and exchange rates", async () => {
  lose(lakeKey, keyOf(listOfRuns.pattern))
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.deepStrictEqual([code, stdout.includes(`${urlOf(lakeKey)} ${lakeDocument.made}`)], [0, true], stdout)
  assert.strictEqual((await tiny.run("runs", "--json")).stdout, runs)
  const copy = join(tiny.work, "with-rates")
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
  assert.deepStrictEqual(await lakeSums(copy), sums)
  const asked = await cardlake(["query", "select count(*) as rates from fx_rates", "--json"], { env: tiny.env(copy) })
  assert.deepStrictEqual(JSON.parse(asked.stdout), [{ rates: 1 }])
  assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${lost} unchanged`, `${other} unchanged`])
})

it("a night of one game that finds no lake.json makes it again for all of them, and says so; so does a plan", async () => {
  lose(lakeKey)
  assert.strictEqual((await tiny.run("plan")).code, 0)
  assert.deepStrictEqual(await documents.read({ of: "published" }), whole.published)
  lose(lakeKey)
  const { code, stderr } = await tiny.run("nightly", lost)
  assert.strictEqual(code, 0)
  assert.include(stderr, `${urlOf(lakeKey)} was missing. It is rebuilt from the games' documents`)
  assert.sameMembers([...new Set(tiny.steps().map((step) => step.split(" ")[0]))], [lost, other])
})

const ofLost = () => keys().filter((key) => key.includes(`/games/${lost}/`))

describe("with a deployment of both games since", () => {
  beforeAll(async () => {
    for (const game of [lost, other]) await tiny.sandbox.deploy(game)
  })

  it("a night during which lake.json goes does not publish its game without the others", async () => {
    tiny.store.state.before = ({ method, url = "" }) => {
      if (method === "PUT" && url.includes(`/games/${lost}/game.json`)) tiny.store.objects.delete(lakeKey)
      return false
    }
    const { code, stderr } = await tiny.run("nightly", lost)
    tiny.store.state.before = () => false
    assert.strictEqual(code, 1)
    assert.include(stderr, `Read ${urlOf(lakeKey)} failed: it is missing. ${again}`)
    assert.strictEqual((await tiny.run("nightly", lost)).code, 0)
    assert.sameMembers([...new Set(tiny.steps().map((step) => step.split(" ")[0]))], [lost, other])
  })

  it("a game that is lost fails alone in a night of all games, and ends a night of its own with 1", async () => {
    const key = keyOf(state.pattern)
    lose(key)
    const before = keys()
    const alone = await tiny.run("nightly", lost)
    assert.strictEqual(alone.code, 1)
    assert.include(alone.stderr, `Read ${urlOf(key)} failed: it is`)
    assert.deepStrictEqual(keys(), before)
    const own = ofLost()
    const { code, stdout } = await tiny.run("nightly", "--json")
    assert.strictEqual(code, 4)
    assert.deepStrictEqual(said({ stdout }), [`${lost} failed`, `${other} published`])
    const { games } = JSON.parse(stdout) as { games: ReadonlyArray<{ gameId: string; reason: string | null }> }
    assert.include(games.find(({ gameId }) => gameId === lost)?.reason, `Read ${urlOf(key)} failed: it is`)
    assert.deepStrictEqual(ofLost(), own)
    const after = JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<unknown>
    assert.strictEqual(after.length, (JSON.parse(runs) as ReadonlyArray<unknown>).length + 1)
  })

  // Whoever reads the game notices that a state or month is lost, and nobody else.
  const parts = [
    { of: gameDocument, code: 4, verdict: "failed" },
    { of: state, code: 75, verdict: "waiting" },
    { of: month, code: 75, verdict: "waiting" }
  ]
  for (const { code, of, verdict } of tried(parts, (_, index) => index < 2))
    it(`a game whose ${of.pattern.source} is gone is ${verdict} alone in a night in parts`, async () => {
      const key = keyOf(of.pattern)
      lose(key)
      const before = ofLost()
      const planned = await tiny.run("plan", "--json")
      const { games, night } = JSON.parse(planned.stdout) as { games: ReadonlyArray<{ gameId: string }>; night: string }
      assert.sameMembers(
        games.map(({ gameId }) => gameId),
        [lost, other]
      )
      const part = await tiny.run("nightly", lost, "--part-of", night)
      assert.strictEqual(part.code, 1)
      assert.include(part.stderr, `Read ${urlOf(key)} failed: it is`)
      assert.strictEqual((await tiny.run("nightly", other, "--part-of", night)).code, 0)
      const published = await tiny.run("publish", night, "--json")
      assert.deepStrictEqual(ofLost(), before)
      assert.strictEqual(published.code, code)
      assert.deepStrictEqual(said(published), [`${lost} ${verdict}`, `${other} published`])
    })
})
