import { assert, describe, it } from "@effect/vitest"
import { validate } from "dockerfile-utils"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cardlake, root } from "./cli.ts"
import { instructionsOf } from "./containerfile.ts"

describe("the image", () => {
  const text = readFileSync(join(root, "pipelines/schedules/Containerfile"), "utf8")
  const image = instructionsOf(text)
  const only = (name: string): string => {
    const found = image.filter((one) => one.name === name)
    assert.strictEqual(found.length, 1, name)
    return found[0]?.rest ?? ""
  }

  it("passes the linter, as a wrong one does not", () => {
    assert.deepStrictEqual(
      validate(text).map(({ message }) => message),
      []
    )
    assert.isNotEmpty(validate(text.replace("HEALTHCHECK --interval", "HEALTHCHECK --intervall")))
  })
  it("is of a slim Node that may run the package, and of no user that is root", () => {
    assert.match(only("FROM"), /^node:24-slim$/)
    assert.strictEqual(only("USER"), "1000:1000")
    const names = image.map(({ name }) => name)
    assert.isBelow(names.lastIndexOf("RUN"), names.indexOf("USER"))
  })
  it("keeps the home on a volume that its user may write to", () => {
    assert.strictEqual(only("ENV"), `CARDLAKE_HOME=${only("VOLUME")}`)
    assert.include(only("RUN"), `chown ${only("USER")} ${only("VOLUME")}`)
  })
  it("keeps a schedule with flags that there are, on the port that its health is asked on", async () => {
    assert.deepStrictEqual(JSON.parse(only("ENTRYPOINT")), ["cardlake"])
    const words = JSON.parse(only("CMD")) as ReadonlyArray<string>
    assert.strictEqual(words[0], "schedule")
    const { stdout } = await cardlake(["schedule", "--help"])
    for (const flag of words.filter((word) => word.startsWith("--"))) assert.include(stdout, ` ${flag} `)
    assert.strictEqual(words[words.indexOf("--cron") + 1], "0 3 * * *")
    const port = words[words.indexOf("--health") + 1] ?? ""
    assert.strictEqual(only("EXPOSE"), port)
    assert.include(only("HEALTHCHECK"), `http://127.0.0.1:${port}/health?live`)
  })
})
