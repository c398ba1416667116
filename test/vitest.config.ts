import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"

/** `--mode full` adds the heavy tests, `*.full.test.ts`, which `npm test` leaves out to stay under five minutes on two cores. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(mode === "full" ? [] : ["**/*.full.test.ts"])],
    // DuckDB is native code: a process a file, so that a crash names its file.
    pool: "forks",
    // Most tests wait for a program they started or a time-out: one worker less than cores, the default, leaves cores idle.
    maxWorkers: availableParallelism() + 1,
    testTimeout: mode === "full" ? 600_000 : 120_000,
    hookTimeout: 120_000
  }
}))
