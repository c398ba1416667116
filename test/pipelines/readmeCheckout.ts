import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"
import {
  cardlake,
  json,
  key,
  main,
  node,
  remove,
  root,
  start,
  type Started,
  startSandbox,
  temporaryFolder
} from "./cli.ts"
import { freePort } from "../support/freePort.ts"
import type { Ended } from "./runHere.ts"

const linked = [
  "package.json",
  "package-lock.json",
  "node_modules",
  "src",
  "pipelines",
  ".ci",
  ".npmrc",
  "data/sample",
  "data/my-cards.csv"
]

/** What commands that run until they are stopped print once they are ready. */
const services: ReadonlyArray<readonly [command: RegExp, ready: string]> = [
  [/cardlake sandbox /, "Stop with Ctrl-C"],
  [/cardlake schedule /, "Next "],
  [/cardlake explore(?!.*--export)/, "Stop with Ctrl-C"]
]

/** The words of a command line in which a shell would expand nothing; null for any other. */
const wordsOf = (command: string): ReadonlyArray<string> | null => {
  const word = /"[^"$`\\]*"|'[^']*'|[\w./:@%+=,-]+/g
  return command.replaceAll(word, "").trim() === ""
    ? [...command.matchAll(word)].map(([each]) => each.replaceAll(/^["']|["']$/g, ""))
    : null
}

/** A sandbox that is named in a checkout's own `.env`, one night of it and a deployment that waits. */
const startMarketplace = async (checkout: string) => {
  const marketplace = await startSandbox()
  writeFileSync(join(checkout, ".env"), `CARDLAKE_URL=${marketplace.url}\nCARDLAKE_API_KEY=${key}\n`)
  json(await cardlake(["nightly", "emberfall", "--json"], { cwd: checkout }))
  await marketplace.deploy("emberfall")
  return marketplace
}

/**
 * A checkout like a user's: the project linked, its own `data`, and a marketplace unless nothing reads one. `run` runs
 * a command line as a shell would.
 */
export const readmeCheckout = async (hasMarketplace: boolean) => {
  const folder = realpathSync(temporaryFolder())
  const checkout = join(folder, "cardlake")
  for (const name of ["cardlake/data", "log", "srv", "tmp", "bin"]) mkdirSync(join(folder, name), { recursive: true })
  for (const name of linked) symlinkSync(join(root, name), join(checkout, name))
  // npx takes longer than the program; another test shows that it finds the program.
  const npx = join(folder, "bin/npx")
  writeFileSync(npx, `#!/bin/sh\n[ "$1" = cardlake ] && shift && exec "${node}" "${main}" "$@"\n`)
  chmodSync(npx, 0o755)
  const marketplace = hasMarketplace ? await startMarketplace(checkout) : null

  const places: Readonly<Record<string, string>> = {
    "/srv/cardlake": checkout,
    "/srv/lake": join(folder, "srv/lake"),
    "/var/log/": join(folder, "log/"),
    "/tmp/": join(folder, "tmp/"),
    "4600": String(await freePort()),
    "4610": String(await freePort()),
    "4620": String(await freePort()),
    "8080": String(await freePort()),
    "4700": String(await freePort())
  }
  const place = new RegExp(Object.keys(places).join("|"), "g")
  const here = (command: string) => command.replaceAll(place, (name) => places[name] ?? "")

  const running: Array<Started> = []
  const env: Record<string, string> = { PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter) }
  const run = async (command: string, cwd = checkout): Promise<Ended> => {
    const ready = services.find(([service]) => service.test(command))?.[1]
    const [line = "", file] = here(command).split(" > ")
    const [npx, program, ...args] = wordsOf(line) ?? []
    if (ready === undefined && npx === "npx" && program === "cardlake") {
      const ended = await cardlake(args, { cwd, env: { ...env, npm_command: "exec" } })
      if (file !== undefined) writeFileSync(resolve(cwd, file), ended.stdout)
      return ended
    }
    if (ready === undefined) return start("sh", ["-c", here(command)], { cwd, env }).ended
    const started = start("sh", ["-c", `exec ${here(command).replace(/&$/, "")}`], { cwd, env })
    running.push(started)
    await started.shows(ready)
    return { code: 0, stdout: "", stderr: "" }
  }

  return {
    checkout,
    /** Sets a variable for the commands that follow. */
    export: (name: string, value: string) => {
      env[name] = value
    },
    /** Unsets what `export` set, as the end of a shell does. */
    forget: (name: string) => {
      delete env[name]
    },
    folder,
    here,
    run,
    stop: async () => {
      for (const { ended, process: child } of running) {
        child.kill()
        await ended
      }
      await marketplace?.stop()
      remove(folder)
    }
  }
}
