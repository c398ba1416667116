import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../FourNights.ts"

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The catalogue's class path, which Maven fetches once; null without Maven, or if it cannot. */
const classPath = (() => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-catalogue-"))
  const file = join(folder, "classpath")
  const goal = ["dependency:build-classpath", `-Dmdep.outputFile=${file}`]
  const { status } = spawnSync("mvn", ["-q", "-f", here("pom.xml"), ...goal])
  const found = status === 0 ? readFileSync(file, "utf8") : null
  rmSync(folder, { recursive: true })
  return found
})()

/** Tests that need it are skipped where there is no Java, or Maven cannot fetch it, and say so. */
export const hasCatalogue = classPath !== null && spawnSync("java", ["--version"]).status === 0
if (!hasCatalogue) console.warn("Skipped: there is no Java, or no Maven that can fetch a REST catalogue")

/** The address of Apache's REST catalogue for Iceberg, which runs until the scope closes. */
export const serveCatalogue = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("java", ["-Xmx512m", "-cp", classPath ?? "", here("ServeCatalogue.java"), folder], {
        stdio: ["pipe", "pipe", "ignore"]
      })
    ),
    (running) =>
      Effect.promise(async () => {
        if (running.exitCode !== null) return
        const ended = once(running, "exit")
        running.stdin.end()
        await ended
      })
  )
  const printed = once(createInterface(server.stdout), "line")
  const ended = once(server, "exit").then(([code]) => [`Java ended with ${code}`])
  const [address] = yield* Effect.promise(() => Promise.race([printed, ended]))
  return String(address).startsWith("http") ? String(address) : yield* Effect.die(new Error(String(address)))
})
