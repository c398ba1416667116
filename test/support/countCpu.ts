import { afterAll } from "vitest"
import { cpuSeconds } from "./cpuSeconds.ts"

declare module "vitest" {
  interface TaskMeta {
    /** CPU seconds of a test file, its imports and the programs that it started. */
    cpuSeconds?: number
  }
}

const startedAt = cpuSeconds()

// Vitest demands a pattern here, and this needs no fixture.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, file) => {
  file.meta.cpuSeconds = cpuSeconds() - startedAt
})
