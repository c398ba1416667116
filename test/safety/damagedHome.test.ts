import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Current } from "../../src/store/home/Home.ts"
import { lakeAge } from "../../src/night/observe/examineAge.ts"
import { showing } from "../../src/night/run/showing.ts"
import { DamageableHome, games, pathOf } from "./damageableHome.ts"
import { damagedMonth } from "./damagedMonth.ts"
import { idOf } from "../store/lake/invented.ts"
import { withSum } from "./hostileTexts.ts"
import { isFull, tried } from "../tried.ts"
import { failureOf, suite } from "../support/suite.ts"

const [game] = games

suite(DamageableHome.layer, "a damaged home", (it) => {
  it("without its list of published snapshots is refused and loses nothing; the list is rebuilt on demand", function* () {
    const { files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const known = yield* home.current
    const before = yield* home.lake
    const losses = [
      () => writeFileSync(home.paths.current, '{"games":{}}'),
      () => writeFileSync(home.paths.current, '{"games":{'),
      () => rmSync(home.paths.current),
      // What a backup of Parquet and manifests alone lacks.
      () => [home.paths.lake, home.paths.runs].forEach((path) => rmSync(path, { recursive: true }))
    ]
    for (const lose of tried(losses, (_, index) => index % 2 === 1)) {
      lose()
      assert.match(yield* failureOf(night), /current\.json.*cardlake doctor --repair$/)
      for (const [path, bytes] of files) {
        const file = join(home.root, path)
        if (existsSync(file) && path !== "current.json") assert.isTrue(bytes.equals(readFileSync(file)), path)
      }
    }
    assert.deepStrictEqual((yield* repair).left, [])
    const rebuilt = yield* home.current
    assert.deepStrictEqual(rebuilt.games, known.games)
    const deployments = ({ history }: typeof known) => history.map(({ deploymentId, gameId }) => [gameId, deploymentId])
    assert.deepStrictEqual(deployments(rebuilt).slice(-2), deployments(known).slice(-2))
    assert.deepStrictEqual(yield* home.lake, before)
    if (!isFull) return
    // If the newest manifest is damaged as well, it is rebuilt first, and no night is forgotten.
    yield* startOver
    losses[2]?.()
    writeFileSync(join(home.paths.snapshot(game, known.games[game]?.snapshot ?? idOf("")), "manifest.json"), "{")
    assert.deepStrictEqual((yield* repair).left, [])
    const found = yield* home.current
    const nights = found.history.filter(({ kind }) => kind !== "repair")
    // The lake knows their numbers, and why they were published.
    assert.deepStrictEqual([found.games, nights], [known.games, known.history])
    assert.deepStrictEqual(
      (yield* night).games.map(({ verdict }) => verdict),
      ["published", "unchanged"]
    )
  })

  it("goes on if only files that tell of the past are damaged; building the lake anew names them", function* () {
    const { files, home, startOver, warnings } = yield* DamageableHome
    yield* startOver
    const report = pathOf(files, /^runs\/.*json$/)
    const confirmations = pathOf(files, /confirmations\.json$/)
    const older = (yield* home.current).games[game]?.published[0] ?? ""
    const manifest = `snapshots/game=${game}/snapshot=${older}/manifest.json`
    for (const path of [report, confirmations, manifest]) {
      const bytes = files.get(path) ?? Buffer.alloc(0)
      writeFileSync(join(home.root, path), bytes.subarray(0, bytes.length / 2))
    }
    writeFileSync(join(home.root, "work/.DS_Store"), "")
    writeFileSync(join(home.root, "snapshots/.DS_Store"), "")
    const nights = "select snapshot, seen_at::varchar as seen_at from nights order by all"
    const known = yield* home.query(nights)
    // Otherwise the next lake would start from this one, which knows them.
    rmSync(home.paths.lake)
    const { verdict, warned } = yield* warnings
    assert.strictEqual(verdict, "published")
    for (const path of [report, confirmations, manifest, "work/.DS_Store"]) {
      assert.isTrue(
        warned.some((warning) => warning.includes(path)),
        `${path}: ${warned.join("\n")}`
      )
      assert.isTrue(existsSync(join(home.root, path)))
    }
    assert.deepStrictEqual((yield* home.query(nights)).slice(0, known.length - 1), known.slice(0, -1))
  })

  it("is whole without its raw pages; without its snapshots too, only a backup or a new home helps", function* () {
    const { doctor, files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const page = pathOf(files, /^raw\/.*products-.*gz$/)
    const bytes = files.get(page) ?? Buffer.alloc(0)
    writeFileSync(join(home.root, page), bytes.subarray(1))
    assert.include(yield* failureOf(doctor), "is damaged")
    rmSync(join(home.root, page))
    assert.include(yield* failureOf(doctor), page)
    rmSync(join(home.root, "raw"), { recursive: true })
    const snapshots = new Set([...files.keys()].flatMap((path) => /^snapshots\/.*manifest\.json$/.exec(path) ?? []))
    assert.include(yield* doctor, `The raw pages of ${snapshots.size} snapshots are missing: they are published`)
    assert.deepStrictEqual((yield* repair).left, [])

    rmSync(home.paths.snapshots, { recursive: true })
    const advice = /from a backup, or start a new home: cardlake nightly --home FOLDER/
    assert.match(yield* failureOf(night), advice)
    assert.match(yield* failureOf(doctor), advice)
    const age = Effect.provideContext(lakeAge(Duration.hours(36)), home.services)
    assert.match(yield* failureOf(age), advice)
    assert.match((yield* repair).left.join("\n"), advice)
  })

  it("is not whole without what a pruned night's feed said beyond the contract", function* () {
    const { doctor, files, home, startOver } = yield* DamageableHome
    const path = [...files.keys()].find((file) => /^history\/.*drift\/.*\.parquet$/.test(file)) ?? ""
    for (const damage of tried([rmSync, (file: string) => writeFileSync(file, "")], (_, index) => index === 0)) {
      yield* startOver
      damage(join(home.root, path))
      assert.include(yield* failureOf(doctor), path)
    }
  })

  it.full(
    "keeps what a dead run left half done for a week and reports it, and what is not ours for ever",
    function* () {
      const { home, night, startOver } = yield* DamageableHome
      yield* startOver
      const live = (yield* home.current).games[game]?.snapshot ?? idOf("")
      const dead = idOf("20260604T120000000Z-dead")
      cpSync(home.paths.snapshot(game, live), home.paths.snapshot(game, dead), { recursive: true })
      for (const path of ["work/mine", "photos.part"]) mkdirSync(join(home.root, path))
      writeFileSync(join(home.root, "work/mine/thesis.txt"), "years")
      mkdirSync(home.paths.work(dead))
      const report = yield* night
      const path = `snapshots/game=${game}/snapshot=${dead}`
      assert.deepStrictEqual(report.setAside, [path])
      const kept = join(home.paths.work(`removed-${report.run}`), path, "products.parquet")
      assert.isTrue(existsSync(kept))
      // A clock that is ahead for one night removes nothing.
      yield* home.night.pipe(showing(Date.parse("2026-06-13T03:00:00Z")))
      assert.isTrue(existsSync(kept))
      yield* home.night.pipe(showing(Date.parse("2026-06-14T03:00:00Z")))
      assert.deepStrictEqual(
        readdirSync(home.paths.work("")).filter((name) => !name.startsWith("spill-")),
        ["mine"]
      )
      assert.isTrue(existsSync(join(home.root, "work/mine/thesis.txt")) && existsSync(join(home.root, "photos.part")))
    }
  )

  it.full("with a folder from the future goes on by the clock, and sets it aside", function* () {
    const { home, repair, startOver, warnings } = yield* DamageableHome
    yield* startOver
    const future = "20990101T000000000Z-0000"
    const live = (yield* home.current).games[game]?.snapshot ?? idOf("")
    cpSync(home.paths.snapshot(game, live), home.paths.snapshot(game, idOf(future)), { recursive: true })
    mkdirSync(join(home.paths.snapshots, `game=${games[1]}`, `snapshot=${future}`))
    mkdirSync(join(home.root, "runs", `${future}.json`))
    yield* repair
    for (const name of readdirSync(home.paths.runs)) assert.isTrue(name.startsWith("2026"), name)
    const { verdict, warned } = yield* warnings
    assert.strictEqual(verdict, "published")
    assert.notMatch(warned.join("\n"), /check the clock/)
    assert.isTrue(readdirSync(home.paths.runs).some((name) => name.startsWith("20260605T03")))
  })

  it.full(
    "with an earlier snapshot in place of the published one is refused; it is rebuilt from its raw pages",
    function* () {
      const { doctor, files, home, night, repair, startOver } = yield* DamageableHome
      yield* startOver
      const before = yield* home.lake
      const { published = [], snapshot = idOf("") } = (yield* home.current).games[game] ?? {}
      const [earlier = idOf("")] = published
      const folder = home.paths.snapshot(game, snapshot)
      const overwrite = () => {
        rmSync(folder, { recursive: true })
        cpSync(home.paths.snapshot(game, earlier), folder, { recursive: true })
      }
      overwrite()
      assert.include(yield* failureOf(night), `it is the manifest of ${earlier} of ${game}`)
      assert.deepStrictEqual((yield* repair).left, [])
      for (const [path, bytes] of files) {
        if (path.includes(`snapshot=${snapshot}`))
          assert.isTrue(bytes.equals(readFileSync(join(home.root, path))), path)
      }
      assert.deepStrictEqual(yield* home.lake, before)
      yield* doctor

      // A file that is of neither night is a damaged one: of which, nobody knows.
      overwrite()
      writeFileSync(join(folder, "products.parquet"), "PAR1")
      assert.match((yield* repair).left.join(), /it is the manifest of/)
      assert.strictEqual(readFileSync(join(folder, "products.parquet"), "utf8"), "PAR1")
    }
  )

  it.full("with an older list of published snapshots is refused, and the later snapshots are kept", function* () {
    const { files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const known = JSON.parse(readFileSync(home.paths.current, "utf8")) as Current
    const [first = ""] = known.games[game]?.published ?? []
    const old = {
      games: { ...known.games, [game]: { snapshot: first, published: [first] } },
      history: known.history.filter((step) => step.gameId !== game || step.snapshot <= first)
    }
    writeFileSync(home.paths.current, withSum(old))
    assert.match(yield* failureOf(night), /current\.json.*cardlake doctor --repair$/)
    for (const path of files.keys()) assert.isTrue(existsSync(join(home.root, path)), path)
    assert.deepStrictEqual((yield* repair).left, [])
    assert.deepStrictEqual((yield* home.current).games, known.games)
  })

  describe("a month without its record", () => {
    damagedMonth(it)
  })
})
