import { assert } from "@effect/vitest"
import { Effect, identity } from "effect"
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { RunReport } from "../../src/night/observe/RunReport.ts"
import { failureOf, suite } from "../support/suite.ts"
import { DamageableHome } from "./damageableHome.ts"

type Files = ReadonlyMap<string, Buffer>

const isRoot = process.getuid?.() === 0
const nobody = 65_534

/** Runs it as an ordinary user, for whom a file's mode counts; root may read everything. */
const withoutRoot = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  isRoot
    ? Effect.acquireUseRelease(
        Effect.sync(() => process.seteuid?.(nobody)),
        () => effect,
        () => Effect.sync(() => process.seteuid?.(0))
      )
    : effect

/** Gives a folder with everything in it to that user. */
const giveAway = (folder: string): void => {
  if (!isRoot) return
  chownSync(folder, nobody, nobody)
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, path), nobody, nobody)
}

const unreadable = "one that may not be read"
const isReadable = (file: string): boolean => (statSync(file).mode & 0o400) !== 0

/** Damages of a file between two nights. Each returns false if it cannot be done to this file. */
const damages: Readonly<Record<string, (file: string, path: string, files: Files) => boolean>> = {
  deleted: (file) => {
    rmSync(file)
    return true
  },
  emptied: (file) => replaced(file, Buffer.alloc(0)),
  cut: (file) => replaced(file, readFileSync(file).subarray(0, statSync(file).size >> 1)),
  "one bit flipped": (file) => {
    const bytes = readFileSync(file)
    const at = Math.floor(bytes.length * 0.4)
    bytes[at] = (bytes[at] ?? 0) ^ 4
    return replaced(file, bytes)
  },
  "another night's in its place": (file, path, files) => {
    const other = [...files].find(
      ([one, bytes]) =>
        one !== path && nameOf(one) === nameOf(path) && !bytes.equals(files.get(path) ?? Buffer.alloc(0))
    )
    return other !== undefined && replaced(file, other[1])
  },
  "a folder in its place": (file) => {
    rmSync(file)
    mkdirSync(file)
    return true
  },
  "a link to nothing in its place": (file) => {
    rmSync(file)
    symlinkSync("/nonexistent/target", file)
    return true
  },
  [unreadable]: (file, path) => {
    giveAway(file.slice(0, -path.length))
    chmodSync(file, 0o000)
    return true
  }
}
const kinds = Object.keys(damages)

const replaced = (file: string, bytes: Buffer): boolean => {
  writeFileSync(file, bytes)
  return true
}

/** Reports are named after their run. */
const nameOf = (path: string): string => (dirname(path) === "runs" ? "runs" : basename(path))

/** Files that the next night rewrites in any case. */
const isRewritten = (path: string): boolean => /^(current\.json|lake\.duckdb|cardlake\.json)$/.test(path)
/** Files that every publication adds to. */
const isAddedTo = (path: string): boolean => /^(lake\.duckdb\.sha256$|deployments\/)/.test(path)

/** Files that only a replay reads, and checksums, without which a file is taken as it is. */
const isNotLookedAt = (path: string): boolean =>
  /^raw\/.*(ledger|refusals)\.ndjson$|^raw\/.*extraction\.json$|\.sha256$/.test(path)

/**
 * Files whose loss nothing shows. Without `held.json` a snapshot is set aside, and the night says so;
 * prices are also in the part of their month.
 */
const isForgotten = (path: string, kind: string): boolean =>
  (kind === "deleted" && /^runs\/|confirmations\.json$|held\.json$/.test(path)) ||
  (/^(deleted|a link to nothing)/.test(kind) && path.endsWith("prices.parquet"))

/** Tables whose rows of an older night are with that night alone: damaged there, the lake lacks them. */
const onlyThere = /^(deployments|deployment_changes) /
const lacksAtMost = (lake: ReadonlyArray<string>, state: ReadonlyArray<string>, path: string): boolean =>
  /(manifest\.json|deployments\.parquet|deployment_changes\.parquet)$/.test(path) &&
  state.every((table, index) => onlyThere.test(table) || lake[index] === table)

/** The path in the home, or the one under which it was set aside; null where it is missing. */
const whereIs = (root: string, path: string): string | null => {
  const aside = existsSync(join(root, "work"))
    ? readdirSync(join(root, "work")).filter((name) => name.startsWith("removed-"))
    : []
  const places = [join(root, path), ...aside.map((name) => join(root, "work", name, path))]
  return places.find((place) => existsSync(place) && lstatSync(place).isFile()) ?? null
}

/**
 * Damages one file at a time, then runs a night and `doctor`: all other files keep their bytes,
 * the lake is the old or the new one, an error names the file. Counts cases and failed nights.
 */
const damageHome = Effect.fnUntraced(function* (kind: string) {
  const { doctor, files, home, night, startOver } = yield* DamageableHome
  yield* startOver
  const old = yield* home.lake
  assert.strictEqual(yield* failureOf(doctor), "done")
  const undisturbed = yield* night
  assert.deepStrictEqual(
    undisturbed.games.map(({ verdict }) => verdict),
    ["published", "unchanged"]
  )
  const fresh = yield* home.lake
  // Prices that are also in the part of their month: the undisturbed night removed their own files.
  const doubled = new Set([...files.keys()].filter((path) => whereIs(home.root, path) === null))
  for (const path of doubled) assert.match(path, /prices\.parquet$/)
  const problems: Array<string> = []
  let refused = 0
  let tried = 0
  for (const path of files.keys()) {
    yield* startOver
    const file = join(home.root, path)
    if (damages[kind]?.(file, path, files) !== true) continue
    tried += 1
    const isWrong = (problem: string) => problems.push(`${path}, ${kind}: ${problem}`)

    const asUser = kind === unreadable ? withoutRoot : identity
    const ofGame = (report: RunReport) => report.games.find(({ verdict }) => verdict === "failed")?.reason ?? ""
    const said = yield* Effect.match(asUser(night), { onSuccess: ofGame, onFailure: ({ message }) => message })
    if (said !== "") {
      refused += 1
      const named = [basename(path), basename(dirname(path))]
      if (!named.some((name) => said.includes(name))) isWrong(`the file is not named in: ${said}`)
      if (!/doctor --repair|backup|run it again|run this again|Move it away|permissions/.test(said))
        isWrong(`no next step in: ${said}`)
    }

    for (const [other, bytes] of files) {
      if (other === path || doubled.has(other) || isRewritten(other) || isAddedTo(other)) continue
      const found = whereIs(home.root, other)
      if (found === null || !bytes.equals(readFileSync(found))) isWrong(`${other} is gone or changed. ${said}`)
    }

    const lake = yield* Effect.result(home.lake)
    const states = said === "" ? [fresh] : [old, fresh]
    if (lake._tag === "Success") {
      const isOne = states.some(
        (state) => JSON.stringify(state) === JSON.stringify(lake.success) || lacksAtMost(lake.success, state, path)
      )
      if (!isOne) isWrong(`the lake is neither the old nor the new one. ${said}`)
    } else if (path !== "lake.duckdb") isWrong(`the lake does not answer: ${lake.failure.message}`)

    const found = yield* failureOf(asUser(doctor))
    const isKnown = isRewritten(path) || isNotLookedAt(path) || isForgotten(path, kind) || doubled.has(path)
    if (found === "done" && !isKnown && !isAsBefore(file, files.get(path))) isWrong("doctor finds nothing")
  }
  assert.deepStrictEqual(problems, [])
  return { cases: tried, refused }
})

const isAsBefore = (file: string, bytes: Buffer | undefined): boolean =>
  existsSync(file) && statSync(file).isFile() && isReadable(file) && bytes?.equals(readFileSync(file)) === true

const flip = (file: string) => {
  const bytes = readFileSync(file)
  bytes[40] = (bytes[40] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

suite(DamageableHome.layer, "a damaged home", (it) => {
  for (const kind of kinds) {
    it(`of which a file is ${kind} loses nothing else, publishes nothing wrong, and names the file`, function* () {
      const { cases, refused } = yield* damageHome(kind)
      console.log(`${kind}: ${cases} cases, ${refused} nights refused`)
    }, 1_800_000)
  }

  it("goes on without exchange rates that are damaged, and takes new ones in their place", function* () {
    const { home, loadRates, night, startOver } = yield* DamageableHome
    yield* startOver
    flip(home.paths.rates)
    // Otherwise the next lake would start from this one, which has them.
    rmSync(home.paths.lake)
    assert.strictEqual((yield* night).verdict, "published")
    assert.deepStrictEqual(yield* home.query("select count(*)::int as n from fx_rates"), [{ n: 0 }])
    yield* loadRates
    assert.isAbove(Number((yield* home.query("select count(*)::int as n from fx_rates"))[0]?.["n"]), 0)
  })
})
