import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import budget from "./budget.json" with { type: "json" }
import exceptions from "./exceptions.json" with { type: "json" }
import {
  files,
  importsOf,
  isProgram,
  lineCount,
  read,
  resolveFrom,
  urlsOf,
  withoutComments
} from "./support/sources.ts"

const code = files.filter((path) => path.endsWith(".ts"))
const program = code.filter(isProgram)
const isMarketplace = (path: string): boolean => /^src\/(market|sdk)\//.test(path)

const isSimulation = (path: string): boolean => path.startsWith("test/simulation/")

const sizeOf = (paths: ReadonlyArray<string>) => ({
  lines: paths.map((path) => lineCount(read(path))).reduce((sum, lines) => sum + lines, 0),
  files: paths.length
})

const textOf = new Map(program.map((path) => [path, withoutComments(read(path))]))

/** Files of `src` and `pipelines` that import a file or reach it by its address. */
const readersOf = new Map<string, Array<string>>()
for (const [path, text] of textOf)
  for (const specifier of [...importsOf(text), ...urlsOf(text)].filter((one) => one.startsWith("."))) {
    const target = resolveFrom(path, specifier)
    readersOf.set(target, [...new Set([...(readersOf.get(target) ?? []), path])])
  }

/** Files that import at least this many of their own folder and its folders are lists: their entries may be short. */
const listLength = 4

/** Lists that are longer, as they have more to do: of commands, of engines, and of what makes rows. */
const longLists = new Set(["pipelines/cardlake.ts", "src/warehouse/engines/loadScript.ts", "src/feed/rows/Shredder.ts"])

const isList = (path: string): boolean =>
  importsOf(textOf.get(path) ?? "").filter((one) => one.startsWith("./")).length >= listLength &&
  (lineCount(read(path)) <= 120 || longLists.has(path))

/** A file that its reader loads when it needs it, by `import("x")`, stays apart. */
const isLoadedLater = (reader: string, path: string): boolean =>
  [...(textOf.get(reader) ?? "").matchAll(/\bimport\("(\.[^"]+)"\)/g)].some(
    ([, specifier = ""]) => resolveFrom(reader, specifier) === path
  )

const shortFiles = program.filter((path) => {
  const [reader, ...others] = readersOf.get(path) ?? []
  return (
    reader !== undefined &&
    others.length === 0 &&
    dirname(reader) === dirname(path) &&
    lineCount(read(path)) < 40 &&
    !isList(reader) &&
    !isLoadedLater(reader, path)
  )
})

/** Paths of files that have a function of more than 60 lines, as oxlint counts them. */
const filesWithLongFunctions = (): ReadonlyArray<string> => {
  const oxlint = join(dirname(createRequire(import.meta.url).resolve("oxlint/package.json")), "bin/oxlint")
  const root = join(import.meta.dirname, "..")
  const args = [oxlint, "-c", "test/functionLength.json", "-f", "json", "src", "pipelines"]
  let output: string
  try {
    output = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
  } catch (failure) {
    output = (failure as { readonly stdout: string }).stdout
  }
  const { diagnostics, number_of_files: checked } = JSON.parse(output) as {
    readonly diagnostics: ReadonlyArray<{ readonly filename: string }>
    readonly number_of_files: number
  }
  assert.isAtLeast(checked, program.length)
  return [...new Set(diagnostics.map(({ filename }) => filename))]
}

const using = (pattern: RegExp): ReadonlyArray<string> => program.filter((path) => pattern.test(textOf.get(path) ?? ""))

/** A rule's offenders are exactly those that the list of exceptions names, so a file that was corrected leaves it. */
const assertExactly = (offenders: ReadonlyArray<string>, named: ReadonlyArray<string>) =>
  assert.deepStrictEqual(
    {
      offends: offenders.filter((path) => !named.includes(path)).toSorted(),
      offendsNoLonger: named.filter((path) => !offenders.includes(path)).toSorted()
    },
    { offends: [], offendsNoLonger: [] }
  )

/** What may be ambient, as it changes no outcome. What changes one is a parameter. */
const ambient: ReadonlyArray<string> = [
  // Patience: how long requests, stores and nights wait. Tests are quick.
  "src/feed/client/RetryPolicy.ts",
  "src/store/home/bucket/StorePatience.ts",
  "src/night/run/NightSettings.ts",
  // Log: who hears of waits, attempts, progress and events, without the key.
  "src/feed/client/CallContext.ts",
  "src/store/home/WorkProgress.ts",
  "src/night/observe/Observation.ts",
  // Colour: the form of what is printed.
  "pipelines/print/hints.ts",
  // The machine: its disk and its processes, as Effect has its clock. A simulation replaces them.
  "src/feed/disk/Disk.ts"
]

describe("the budget", () => {
  const sizes = {
    pipeline: sizeOf(program.filter((path) => !isMarketplace(path))),
    marketplace: sizeOf(program.filter(isMarketplace)),
    test: sizeOf(code.filter((path) => path.startsWith("test/") && !isSimulation(path))),
    simulation: sizeOf(code.filter(isSimulation))
  }
  for (const part of ["pipeline", "marketplace"] as const)
    it(`holds the lines and files of the ${part}`, () => {
      assert.isAtMost(sizes[part].lines, budget[part].lines)
      assert.isAtMost(sizes[part].files, budget[part].files)
    })
  it("holds the lines of the tests", () => assert.isAtMost(sizes.test.lines, budget.test.lines))
  it("holds the lines of the simulation, which counts apart", () => assert.isAtMost(sizes.simulation.lines, 4000))
})

describe("the code", () => {
  it("has no function of more than 60 lines", () => assertExactly(filesWithLongFunctions(), exceptions.longFunctions))
  it("has no file below 40 lines whose one reader lies beside it, but entries of a list", () =>
    assertExactly(shortFiles, exceptions.shortFiles))
  it("makes ambient only what changes no outcome", () => {
    assert.isAtMost(ambient.length, 8)
    assertExactly(using(/\bContext\s*\.\s*Reference\b/), [...ambient, ...exceptions.ambient])
  })
  it("imports node:fs only where it is named", () =>
    assertExactly(using(/["']node:fs(\/promises)?["']/), exceptions.importsDisk))
})
