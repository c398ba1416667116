import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { OwnPostgres } from "./ownPostgres.ts"

const program = fileURLToPath(new URL("./toyMember.ts", import.meta.url))

/** What a member wrote down: a step of a night, when, and who. */
interface Noted {
  readonly at: number
  readonly worker: string
  readonly step: "due" | "plan" | "begin" | "end" | "publish" | "published"
  readonly gameId: string
}

/** Workers as processes, whose steps take so long and write down that they happened. */
export const toyFleet = (postgres: OwnPostgres, stepMillis: number, node = process.execPath) => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-fleet-"))
  const home = `s3://toys${folder}`
  const log = join(folder, "steps")
  const members: Array<ChildProcess> = []
  const said: Array<string> = []
  const member = (...args: ReadonlyArray<string>): ChildProcess => {
    const started = spawn(node, [program, home, postgres.url, log, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    started.stdout.on("data", (text: Buffer) => said.push(text.toString()))
    started.stderr.on("data", (text: Buffer) => said.push(text.toString()))
    started.once("exit", (code, signal) => said.push(`${args.slice(0, 2).join(" ")} ended: ${code ?? signal}\n`))
    members.push(started)
    return started
  }
  const steps = (): ReadonlyArray<Noted> =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
      : []
  const until = async (is: (step: Noted) => boolean, seconds = 90): Promise<Noted> => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
      const found = steps().find(is)
      if (found !== undefined) return found
    }
    throw new Error(
      `Waited ${seconds} s in vain. Steps: ${JSON.stringify(steps())}. Said: ${said.join("").slice(-3000)}`
    )
  }
  return {
    home,
    schedule: (name: string, games: ReadonlyArray<string>) => member("schedule", name, games.join()),
    worker: (name: string) => member("worker", name, String(stepMillis)),
    /** Starts a night, and promises what is printed of its end. */
    night: async (
      name: string,
      games: ReadonlyArray<string>
    ): Promise<{ readonly games: ReadonlyArray<{ readonly gameId: string }> }> => {
      const asked = member("night", name, games.join())
      let answer = ""
      asked.stdout?.on("data", (text: Buffer) => {
        answer += text.toString()
      })
      await once(asked, "close")
      const end = answer.split("\n").find((line) => line.startsWith("{"))
      if (end === undefined) throw new Error(said.join(""))
      return JSON.parse(end)
    },
    steps,
    until,
    said: () => said.join(""),
    remove: async () => {
      for (const started of members)
        if (started.exitCode === null && started.signalCode === null) {
          started.kill("SIGCONT")
          started.kill("SIGKILL")
          await once(started, "exit")
        }
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
