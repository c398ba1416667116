import { assert, describe } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Console, Duration, Effect, Layer } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { clearDemo, demo } from "../../pipelines/demo.ts"
import { examine } from "../../pipelines/lake/examine.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { runFx } from "../../src/night/run/runFx.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runReplay } from "../../src/night/run/runReread.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { homeFormat } from "../../src/store/home/HomeMarker.ts"
import { claimHome } from "../../src/store/home/claimHome.ts"
import { gameId } from "../store/lake/invented.ts"
import { failureOf, live, newFolder, testIn } from "../support/suite.ts"
import { jsonFile, tinyHome, tinyMarketplace } from "./tinyNights.ts"

/** Every path below a folder with its content. */
const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? readFileSync(path, "latin1") : "folder"]
    })
  )

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const refusal = /is not a Cardlake home.*Nothing was written to it\. Choose an empty folder.*--home/

/** Other people's folders, each with names that a home has, too. */
const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a home directory": { ".bashrc": "alias ll='ls -l'", "Documents/letter.txt": "Dear" },
  "one with its own work": { "work/thesis.tex": "\\chapter", "notes.part": "half", ".probe-reading": "mine" },
  "one with its own runs": { "runs/2026-05-01.json": '{"distance": 10}', "runs/marathon.part": "half" },
  "one with a current.json of another program": { "current.json": '{"games": {}, "version": 3}' },
  "one with raw files": { "raw/IMG_0001.dng": "II*", "snapshots/beach.jpg": "JFIF", lock: "locked by the editor" },
  "one with a settings file of our marker's name": { "cardlake.json": '{"url": "http://127.0.0.1"}' },
  "one with a manifest that is not ours": { "snapshots/game=chess/snapshot=1/manifest.json": "{}" }
}

describe("a folder of somebody else", () => {
  for (const [what, files] of Object.entries(foreign)) {
    testIn(NodeServices.layer)(`${what} is refused by every command that writes, and stays as it is`, function* () {
      const root = yield* newFolder
      for (const [name, text] of Object.entries(files)) write(join(root, name), text)
      const before = contentOf(root)
      // Nothing listens there, so a command that asked the marketplace first would say that instead.
      const home = yield* tinyHome(root, "http://127.0.0.1:9", "cl_test_key")
      const sentences = yield* Effect.all([
        failureOf(home.night),
        ...[
          failureOf(runRollback({ gameId, wanted: null, why: null })),
          failureOf(runReplay(gameId, null)),
          failureOf(runCompact([])),
          failureOf(runPrune({ days: null, last: 9, monthly: false }, false)),
          failureOf(runFx("no-rates.csv"))
        ].map(Effect.provideContext(home.services))
      ])
      for (const sentence of sentences) assert.match(sentence, refusal)
      const findings = yield* examine({ CARDLAKE_HOME: root }, Duration.hours(36))
      assert.match(findings.find(({ name }) => name === "home")?.says ?? "", refusal)
      assert.match(yield* failureOf(demo({ home: root })), /is neither empty nor a demo/)
      assert.deepStrictEqual(contentOf(root), before)
    })
  }

  testIn(NodeServices.layer)(
    "with the demo's README, but more than a demo leaves, is not deleted by the next demo",
    function* () {
      const own = "The lake of `cardlake demo`. The next demo replaces this folder.\n"
      const folders: ReadonlyArray<Readonly<Record<string, string>>> = [
        { "README.txt": "The next demo replaces this folder." },
        { "README.txt": own, "notes.md": "mine" },
        { "README.txt": own, "snapshots/game=magic/snapshot=20261121T001500123Z-3f9a/manifest.json": "{}" }
      ]
      for (const files of folders) {
        const root = yield* newFolder
        for (const [name, text] of Object.entries(files)) write(join(root, name), text)
        const before = contentOf(root)
        assert.match(yield* failureOf(demo({ home: root })), /is neither empty nor a demo/)
        assert.deepStrictEqual(contentOf(root), before)
      }
    }
  )

  testIn(NodeServices.layer)(
    "with folders in place of the demo's files, or that is a file itself, is refused in one sentence",
    function* () {
      const own = "The lake of `cardlake demo`. The next demo replaces this folder.\n"
      const root = yield* newFolder
      write(join(root, "readme", "README.txt", "mine.txt"), "mine")
      write(join(root, "raw", "README.txt"), own)
      write(join(root, "raw", "raw"), "mine")
      for (const [name, why] of [
        ["readme", /is neither empty nor a demo\. Choose an empty folder/],
        ["raw", /is neither empty nor a demo\. Choose an empty folder/],
        ["raw/raw", /raw\/raw cannot be read \(ENOTDIR: .+\)\. Choose an empty folder/]
      ] as const) {
        const error = yield* Effect.flip(clearDemo(join(root, name), new Set()))
        assert.match(error.message, why)
      }
      assert.strictEqual(readFileSync(join(root, "raw", "raw"), "utf8"), "mine")
    }
  )
})

const marker = (home: { readonly root: string }) => join(home.root, "cardlake.json")
const version = (jsonFile(fileURLToPath(new URL("../../package.json", import.meta.url))) as { version: string }).version

describe("a home", () => {
  live("is made in an empty folder, even if the disk or a file browser left something in it", function* () {
    const { newHome } = yield* tinyMarketplace()
    const home = yield* newHome
    mkdirSync(join(home.root, "lost+found"))
    writeFileSync(join(home.root, ".DS_Store"), "")
    assert.strictEqual((yield* home.night).verdict, "published")
    const { cardlakeVersion, format, madeAt } = jsonFile(marker(home)) as Record<string, unknown>
    assert.deepStrictEqual([format, cardlakeVersion], [homeFormat, version])
    assert.isBelow(Math.abs(Date.now() - Date.parse(String(madeAt))), 60_000)
  })

  live("without a marker is recognised by any one of its files, and marked", function* () {
    const { copyOf, newHome } = yield* tinyMarketplace()
    const home = yield* newHome
    const { run } = yield* home.night
    rmSync(marker(home))
    const remains = [
      ["current.json"],
      [join("snapshots", `game=${gameId}`, `snapshot=${run}`, "manifest.json")],
      [join("runs", `${run}.json`)],
      [join("raw", gameId, run, "ledger.ndjson")],
      []
    ]
    for (const files of remains) {
      const copy = yield* copyOf(home)
      for (const name of readdirSync(copy.root)) rmSync(join(copy.root, name), { recursive: true })
      for (const folder of ["work", "raw"]) mkdirSync(join(copy.root, folder))
      for (const file of files) cpSync(join(home.root, file), join(copy.root, file))
      yield* Effect.provideContext(claimHome, copy.services)
      assert.strictEqual((jsonFile(marker(copy)) as { format: number }).format, homeFormat, files.join())
    }
    assert.strictEqual((yield* home.night).verdict, "unchanged")
    assert.isTrue(existsSync(marker(home)))
  })

  live.full(
    "whose marker is damaged is recognised by its content and marked again; a marker that cannot be read is named",
    function* () {
      const { newHome } = yield* tinyMarketplace()
      const home = yield* newHome
      yield* home.night
      const whole = readFileSync(marker(home), "utf8")
      for (const text of ["", whole.slice(0, 20), "[]", '{"format": "one"}']) {
        writeFileSync(marker(home), text)
        assert.strictEqual((yield* home.night).verdict, "unchanged", text)
        assert.strictEqual((jsonFile(marker(home)) as { format: number }).format, homeFormat)
      }
      rmSync(marker(home))
      mkdirSync(marker(home))
      assert.match(
        yield* failureOf(home.night),
        /cardlake\.json cannot be read \(it is not a file\).*then run this again$/
      )
    }
  )

  testIn(NodeServices.layer)("of another format is neither read nor written", function* () {
    const root = yield* newFolder
    writeFileSync(join(root, "cardlake.json"), '{"format": 1, "tables": "elsewhere"}')
    const reading = Layer.build(lakeServices({ CARDLAKE_HOME: root }))
    const reads = `and Cardlake .* reads format ${homeFormat}\\.`
    const earlier = new RegExp(`has format 1, ${reads} To create one, choose another home`)
    assert.match(yield* failureOf(reading), earlier)
    writeFileSync(join(root, "cardlake.json"), `{"format": ${homeFormat + 1}, "tables": "elsewhere"}`)
    const before = contentOf(root)
    const sentence = new RegExp(`has format ${homeFormat + 1}, ${reads} Update Cardlake, or choose another home`)
    assert.match(yield* failureOf(reading), sentence)
    const findings = yield* examine({ CARDLAKE_HOME: root }, Duration.hours(36))
    assert.match(findings.find(({ name }) => name === "home")?.says ?? "", sentence)
    assert.deepStrictEqual(contentOf(root), before)
  })

  testIn(NodeServices.layer)("of an earlier demo, even without a marker, is replaced by the next demo", function* () {
    const root = yield* newFolder
    write(join(root, "README.txt"), "The lake of `cardlake demo`. The next demo replaces this folder.\n")
    write(join(root, "snapshots/game=emberfall/snapshot=20261121T001500123Z-3f9a/manifest.json"), "{}")
    // The demo first speaks when its folder is ready.
    const silent = { ...console, log: () => Effect.runSync(Effect.interrupt) }
    yield* Effect.exit(Effect.provideService(demo({ home: root }), Console.Console, silent))
    assert.sameMembers(readdirSync(root), ["README.txt", "cardlake.json"])
  })
})
