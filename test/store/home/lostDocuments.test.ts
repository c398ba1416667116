import { homeFormat } from "../../../src/store/home/HomeMarker.ts"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repricedGame } from "../lake/invented.ts"
import { cardlake } from "../../pipelines/cli.ts"
import { isFull, tried } from "../../tried.ts"
import {
  commits,
  type Document,
  gameCommit,
  inSecondMonth,
  lists,
  month,
  oldCommit,
  oldLake,
  runsList,
  testedAlone
} from "./damagedDocuments.ts"
import { lakeSums, said, savedBucket } from "./tinyBucket.ts"

const [lost, other] = ["cedar", "maple"]

/** Two nights of two games, and exchange rates, which a night after them has seen. */
const { documents, keyOf, lose, saved, spoil, tiny, urlOf } = await savedBucket(
  async ({ run, sandbox, store, work }) => {
    await run("nightly")
    const rates = join(work, "rates.csv")
    writeFileSync(rates, "Date,USD\n2026-08-20,1.1\n")
    assert.strictEqual((await run("fx", rates)).code, 0)
    for (const game of [lost, other]) {
      await sandbox.deploy(game)
      const { code, stderr } = await run("nightly", game)
      assert.strictEqual(code, 0, stderr)
    }
    inSecondMonth(store)
  },
  { [lost]: repricedGame(lost), [other]: repricedGame(other) }
)
const runs = (await tiny.run("runs", "--json")).stdout
const sums = await tiny.pulled()
const whole = {
  newest: await documents.read(),
  published: await documents.read({ of: "published" }),
  other: await documents.read({ games: [other] })
}

const keys = () => [...tiny.store.objects.keys()].filter((key) => !key.includes("/probes/")).toSorted()
const commitsOf = (room: string) => keys().filter((key) => key.startsWith(`tiny/${room}/commits/`))
const ofLost = () => keys().filter((key) => key.startsWith(`tiny/games/${lost}/`))
const again = "Rebuild it with: cardlake doctor --repair"
const onlyBackup = "Restore it from a backup of the bucket: there is no other copy"

interface Harm {
  readonly how: string
  readonly of: ReadonlyArray<Document>
  readonly harm: (key: string) => void
  readonly reason: string
}

const strange = `If a later version of Cardlake wrote it, update Cardlake; else rebuild it with: cardlake doctor --repair`
const harms: ReadonlyArray<Harm> = [
  { how: "is gone", of: [...commits, ...lists], harm: lose, reason: "it is missing" },
  {
    how: "has other bytes",
    of: lists,
    harm: (key) => spoil(key, "{}"),
    reason: "its bytes do not match the checksum in its name"
  },
  ...["rubbish", `{"format":${homeFormat}}\n`].map((text): Harm => ({
    how: `says ${text.trim()}`,
    of: commits,
    harm: (key) => spoil(key, text),
    reason: "its content is not Cardlake's"
  })),
  {
    how: "says something else",
    of: [gameCommit, oldCommit],
    harm: (key) =>
      spoil(
        key,
        String(saved.get(key)?.body)
          .replace('"why":', '"why" :')
          .replace(/"at":"2/, '"at": "2')
      ),
    reason: ""
  }
]

const cases = harms.flatMap(({ of, ...harm }) => of.map((document) => ({ ...document, ...harm, of: document.of })))
/** Each document that is gone, but one of the older commits; a month with other bytes; the newest commit with each text. */
const few = (_: unknown, index: number) => [0, 1, 3, 4, 5, 7, 9, 15].includes(index)
for (const { harm, how, of, pattern, reason, repaired, stops } of tried(cases, few))
  it(`${of} that ${how} is named, stops its readers, and is left or followed by a repair`, async () => {
    const key = keyOf(pattern)
    harm(key)
    const before = keys()
    const isCommit = key.includes("/commits/")
    const [found = ""] = (await documents.damaged()) as ReadonlyArray<string>
    if (reason === "")
      assert.match(found, /its bytes are not those that the lake names|the commit after it names other bytes/)
    else {
      const ofList = of === runsList.of ? again : onlyBackup
      const next = !isCommit ? ofList : reason === "it is missing" ? again : strange
      assert.deepStrictEqual(await documents.damaged(), [`${urlOf(key)} is damaged: ${reason}. ${next}`])
    }
    const failed = found.replace(/^(\S+) is damaged: /, "Read $1 failed: ")
    assert.deepStrictEqual(
      await documents.read({ of: "published", skipsDamaged: false }),
      stops.includes("published") ? failed : whole.published
    )
    const withoutGame = [...whole.other, `${lost}: ${failed}`].toSorted()
    const newest = stops.includes("game") ? withoutGame : whole.newest
    assert.deepStrictEqual(await documents.read(), stops.includes("newest") ? failed : newest)
    if (stops.includes("game")) assert.strictEqual(await documents.read({ games: [lost] }), failed)

    // Nothing is deleted that a damaged document may name. An older commit leaves with what it alone names.
    if (!pattern.source.includes("000000000")) {
      for (const weeks of [1, 3]) await documents.sweep(Date.now() + weeks * 8 * 24 * 3600 * 1000)
      const room = key.slice(0, key.search(/\/(commits|objects)\//))
      assert.deepStrictEqual(
        before.filter((one) => !tiny.store.objects.has(one) && one.startsWith(`${room}/`)),
        []
      )
    }

    const mended = (await documents.repair()) as { done: ReadonlyArray<string>; left: ReadonlyArray<string> }
    if (repaired === null) return assert.deepStrictEqual([mended.done, mended.left], [[], [found]])
    assert.deepStrictEqual([mended.done.length, mended.left], [1, []])
    assert.include(mended.done[0], `${urlOf(key)} is `)
    assert.deepStrictEqual(await documents.damaged(), [])
    if (repaired === "all") assert.deepStrictEqual(await documents.read(), whole.newest)
    else assert.lengthOf((await documents.read()).toString().match(/,"nightly",/g) ?? [], 3)
  })

it("the page of invariants has a row for each kind of damage, with what nights and a repair do", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../src/store/home/bucket/README.md"), "utf8")
  const [, table = ""] = page.split("| damage | nights | `doctor` | `doctor --repair` |\n")
  const [lines = ""] = table.split("\n\n")
  const rows = new Map(
    lines
      .split("\n")
      .slice(1)
      .map((line) => line.slice(2, -2).split(" | "))
      .map(([row = "", ...says]) => [row, says])
  )
  assert.sameMembers([...rows.keys()], [...new Set([...commits, ...lists].map(({ row }) => row)), ...testedAlone])
  for (const { repaired, row, stops } of [...commits, ...lists]) {
    const [nights = "", , repairs = ""] = rows.get(row) ?? []
    const does = stops.includes("newest") ? "stop" : stops.includes("game") ? "leave the game alone" : "continue"
    assert.isTrue(nights.startsWith(does), `${row}: ${nights}`)
    assert.strictEqual(repairs.startsWith("nothing"), repaired === null, `${row}: ${repairs}`)
  }
})

it("the newest commit of the lake that a game has seen is repaired by the next night, which says so", async () => {
  const [newest = ""] = commitsOf("lake").slice(-2)
  assert.strictEqual((await tiny.run("nightly")).code, 0)
  // Both commits that the last night has not seen itself.
  for (const key of commitsOf("lake")) if (key > newest) lose(key)
  await tiny.sandbox.deploy(other)
  lose(newest)
  const { code, stderr } = await tiny.run("nightly", other)
  assert.strictEqual(code, 0, stderr)
  assert.include(stderr, `${urlOf(newest)} is damaged: it is missing`)
  assert.deepStrictEqual(await documents.damaged(), [])
  assert.sameMembers([...new Set(tiny.steps().map((step) => step.split(" ")[0]))], [lost, other])
})

it("a game without any commit is named, and does not begin anew", async () => {
  lose(...commitsOf(`games/${lost}`))
  const [found = ""] = (await documents.damaged()) as ReadonlyArray<string>
  assert.match(found, /games\/cedar\/commits\/\d{10}\.json is damaged: it is missing\. Restore it from a backup/)
  const before = ofLost()
  const { code, stderr } = await tiny.run("nightly", lost)
  assert.strictEqual(code, 1)
  assert.match(stderr, /Read \S+\/cedar\/commits\/\d{10}\.json failed: it is missing/)
  assert.deepStrictEqual(ofLost(), before)
})

it("a bucket in which nothing was published has no commit of the lake, and nothing is said of it", async () => {
  tiny.store.objects.clear()
  assert.deepStrictEqual(await documents.damaged(), [])
})

it("where all commits of the lake are gone, doctor names that, and a repair publishes every game again", async () => {
  lose(...commitsOf("lake"))
  const says = (await tiny.wrong()).join()
  assert.match(says, /lake\/commits\/\d{10}\.json is damaged: it is missing\. Rebuild it with: cardlake doctor --home/)
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.strictEqual(code, 0, stdout)
  assert.deepStrictEqual(await documents.damaged(), [])
  assert.sameMembers([...new Set(tiny.steps().map((step) => step.split(" ")[0]))], [lost, other])
})

it("a sweep deletes no page of a missing list that two commits name", async () => {
  const { objects } = tiny.store
  const ofOther = () => keys().filter((key) => key.startsWith(`tiny/games/${other}/`))
  lose(ofOther().find((key) => key.endsWith(".list.json")) ?? "")
  const newest = new Set(["lake", `games/${other}`].map((room) => commitsOf(room).at(-1)))
  for (const [key, stored] of objects)
    if (!newest.has(key)) objects.set(key, { ...stored, at: new Date(Date.now() - 30 * 24 * 3600 * 1000) })
  const before = ofOther()
  assert.match(String(await documents.sweep(Date.now())), /\/maple\/\S+\.list\.json failed: it is missing/)
  assert.deepStrictEqual(ofOther(), before)
})

it.runIf(isFull)("a repair repairs other games and names what it left", async () => {
  const gone = keyOf(month.pattern)
  lose(gone, keyOf(/\/maple\/.*\.changes\.diff\.json$/))
  const { code, stdout } = await tiny.run("doctor", "--repair", "--json")
  const { done, left } = JSON.parse(stdout) as { done: ReadonlyArray<string>; left: ReadonlyArray<string> }
  assert.deepStrictEqual([code, left], [1, [`${urlOf(gone)} is damaged: it is missing. ${onlyBackup}`]])
  assert.match(done.join(), /^snapshot maple \S+ is rebuilt$/)
  const pruned = await tiny.run("prune", "--keep-last", "5", "--yes")
  assert.deepStrictEqual([pruned.code, pruned.stderr.includes(`Read ${urlOf(gone)} failed: it is missing.`)], [1, true])
})

it("a copy of a bucket whose commit was repaired has its rows, runs and exchange rates", async () => {
  lose(keyOf(oldCommit.pattern), keyOf(oldLake.pattern))
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.strictEqual(code, 0, stdout)
  assert.strictEqual((await tiny.run("runs", "--json")).stdout, runs)
  // A run of one game leaves the report of another game's run as it is.
  const reports = JSON.parse(runs) as ReadonlyArray<{ verdict: string }>
  assert.deepStrictEqual(
    reports.map(({ verdict }) => verdict),
    ["published", "published", "published"]
  )
  const copy = join(tiny.work, "with-rates")
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
  assert.deepStrictEqual(await lakeSums(copy), sums)
  const asked = await cardlake(["query", "select count(*) as rates from fx_rates", "--json"], { env: tiny.env(copy) })
  assert.deepStrictEqual(JSON.parse(asked.stdout), [{ rates: 1 }])
})

describe("with a deployment of both games since", () => {
  beforeAll(async () => {
    for (const game of [lost, other]) await tiny.sandbox.deploy(game)
  })

  it("a game that is lost fails alone in a night of all games, and ends a night of its own with 1", async () => {
    const key = keyOf(month.pattern)
    lose(key)
    const before = keys()
    const alone = await tiny.run("nightly", lost)
    assert.strictEqual(alone.code, 1)
    assert.include(alone.stderr, `Read ${urlOf(key)} failed: it is`)
    assert.deepStrictEqual(
      keys().filter((one) => !one.includes("/keys/")),
      before.filter((one) => !one.includes("/keys/"))
    )
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

  // Whoever reads the game notices that a month is lost, and nobody else.
  const parts = [
    { of: gameCommit, code: 4, verdict: "failed" },
    { of: month, code: 75, verdict: "waiting" }
  ]
  for (const { code, of, verdict } of tried(parts, () => false))
    it(`a game of which ${of.of} is gone is ${verdict} alone in a night in parts`, async () => {
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
