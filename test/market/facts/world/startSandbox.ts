import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../../../pipelines/start.ts", import.meta.url))

/** A sandbox that runs as a program of its own, as its users start it. */
export interface Sandbox {
  readonly url: string
  readonly key: string
  readonly stop: (signal?: "SIGTERM" | "SIGKILL") => Promise<void>
}

/** Starts `cardlake sandbox` on a free port. Fails with what it said if it ends instead. */
export const startSandbox = (...flags: ReadonlyArray<string>): Promise<Sandbox> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, "sandbox", "--json", ...flags], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    const closed = once(child, "close")
    let errors = ""
    child.stderr.on("data", (piece: Buffer) => (errors += piece.toString()))
    child.once("close", (code) => reject(new Error(`the sandbox ended with ${code}: ${errors}`)))
    let printed = ""
    child.stdout.on("data", (piece: Buffer) => {
      printed += piece.toString()
      if (!printed.trimEnd().endsWith("}")) return
      const { key, url } = JSON.parse(printed) as { readonly url: string; readonly key: string }
      const stop: Sandbox["stop"] = async (signal = "SIGTERM") => {
        child.kill(signal)
        await closed
      }
      resolve({ url, key, stop })
    })
  })
