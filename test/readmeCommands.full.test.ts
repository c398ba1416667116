import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { commandsOf, document, documents } from "./documents.ts"
import { runCommandsOf } from "./readmeCommands.ts"

const cronLines = documents.flatMap((each) => commandsOf(each, "cron"))
const checkout = runCommandsOf(documents)

describe("a cron line of the documents", () => {
  it("is there", () => assert.strictEqual(cronLines.length, 2))

  for (const line of cronLines) {
    it(`works: ${line}`, async () => {
      const { user } = checkout()
      const [, command = ""] = /^(?:[\d*/,-]+ ){5}(.+)$/.exec(line) ?? []
      // npm goes to its checkout by itself; the program stays where the settings are.
      const ended = await user.run(command, command.startsWith("npm ") ? user.folder : user.checkout)
      assert.strictEqual(ended.code, 0, ended.stderr)
      const log = /> (\S+)$/.exec(user.here(command))?.[1]
      if (log !== undefined) assert.property(JSON.parse(readFileSync(log, "utf8")), "games")
    })
  }
})

describe("what the documents tell", () => {
  it("of files is where they say", () => {
    const { user } = checkout()
    const places = [...document("data/guide/files.md").text.matchAll(/^\| `([\w<>=./-]+\.\w+)` +\|/gm)].map(
      (match) => match[1] ?? ""
    )
    assert.isAbove(places.length, 8)
    // No command of the documents makes a backfill.
    for (const place of places.filter((each) => !each.includes("backfill"))) {
      const found = globSync(place.replaceAll(/<\w+>/g, "*"), { cwd: user.here("/tmp/practice") })
      assert.isAbove(found.length, 0, place)
    }
  })
})
