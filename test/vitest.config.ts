import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs"
import { availableParallelism, freemem, tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"

// Threads and programs that tests start compile nothing again, nor do test processes the packages of npm.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cardlake", import.meta.url))

/** Homes of tests are small, and flush every file: in memory if there is plenty, and programs may run there. */
const placeOfHomes = (): string => {
  const memory = "/dev/shm"
  if (!existsSync(memory) || / \/dev\/shm \S+ \S*noexec/.test(readFileSync("/proc/mounts", "utf8"))) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) < 8e9 ? tmpdir() : memory
}

/** A folder of this run alone. */
const homesFolder = (place: string): string => {
  const folder = mkdtempSync(`${place}/cardlake-tests-`)
  chmodSync(folder, 0o755)
  // What tests leave there would cost space, or memory until the machine restarts.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * `--mode full` adds the heavy tests, `*.full.test.ts` and `*.full.alone.test.ts`. Files share processes, as a new one loads
 * all modules again; `*.alone.test.ts`, which replace modules, do not.
 */
export default defineConfig(({ mode }) => {
  const heavy = mode === "full" ? [] : ["**/*.full{,.alone}.test.ts"]
  const homes = homesFolder(mode === "full" ? tmpdir() : placeOfHomes())
  const alone = "test/**/*.alone.test.ts"
  return {
    test: {
      // DuckDB is native code: if it ends its process, the others go on.
      pool: "forks",
      // All modules are loaded in every process: to look through them for garbage takes longer than the garbage is worth.
      execArgv: ["--heap-growing-percent=300"],
      // Most tests wait for a program they started or a time-out: one worker less than cores, the
      // default, leaves cores idle.
      maxWorkers: availableParallelism() + 1,
      // Tests of feed files ask for that way of reading; to all others, every request counts.
      env: { CARDLAKE_VIA: "pages", TEST_MODE: mode, TMPDIR: homes },
      testTimeout: mode === "full" ? 600_000 : 120_000,
      hookTimeout: mode === "full" ? 600_000 : 120_000,
      setupFiles: ["test/support/countCpu.ts", ...(mode === "full" ? [] : ["test/oneThread.ts"])],
      reporters: ["default", "./test/support/CpuReporter.ts"],
      projects: [
        {
          extends: true,
          test: {
            name: "together",
            isolate: false,
            include: ["test/**/*.test.ts"],
            exclude: [...configDefaults.exclude, ...heavy, alone]
          }
        },
        { extends: true, test: { name: "alone", include: [alone], exclude: [...configDefaults.exclude, ...heavy] } }
      ]
    }
  }
})
