import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("served.ts", import.meta.url))

/** A sandbox that can be killed as by a power cut. */
export interface SandboxProcess {
  readonly url: string
  readonly kill: () => Promise<void>
}

/** Starts a sandbox with this state and waits until it listens. Rejects if it ends instead. */
export const startProcess = (state: string): Promise<SandboxProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, state], { stdio: ["ignore", "pipe", "inherit"] })
    const closed = once(child, "close")
    child.once("close", (code) => reject(new Error(`the sandbox ended with ${code}`)))
    child.stdout.once("data", (line: Buffer) =>
      resolve({
        url: line.toString().trim(),
        kill: async () => {
          child.kill("SIGKILL")
          await closed
        }
      })
    )
  })
