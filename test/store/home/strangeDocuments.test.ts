import { assert, it } from "@effect/vitest"
import { gameId } from "../lake/invented.ts"
import { said, savedBucket } from "./tinyBucket.ts"

const { saved, sums, tiny } = await savedBucket(async ({ run, sandbox }) => {
  await run("nightly")
  await sandbox.deploy(gameId)
  const { code, stderr } = await run("nightly")
  assert.strictEqual(code, 0, stderr)
})
const runs = (await tiny.run("runs", "--json")).stdout

const next =
  "If a later version of Cardlake wrote it, update Cardlake; else remove it and have it made again with: cardlake doctor --home s3://lakes/tiny --repair"

for (const key of ["tiny/lake.json", `tiny/games/${gameId}/game.json`])
  for (const text of ["rubbish", '{"format":2}\n', "{"])
    it(`${text.trim()} in place of ${key} is named, nobody writes over it, and it is made again once it is removed`, async () => {
      tiny.store.objects.set(key, { body: Buffer.from(text), tag: '"strange"', at: new Date() })
      assert.include(await tiny.wrong(), `s3://lakes/${key} is damaged: it is not what Cardlake writes there. ${next}`)
      // A plan leaves it to whoever reads the game.
      const plan = key.endsWith("/lake.json") ? [["plan"]] : []
      for (const command of [["nightly"], ...plan, ["prune", "--keep-last", "1", "--yes"], ["doctor", "--repair"]]) {
        const { code, stdout, stderr } = await tiny.run(...command)
        assert.strictEqual(code, 1, command.join(" "))
        assert.include(`${stdout}${stderr}`, `s3://lakes/${key}`)
      }
      assert.strictEqual(tiny.store.objects.get(key)?.body.toString("utf8"), text)
      assert.deepStrictEqual(
        [...saved.keys()].filter((one) => !tiny.store.objects.has(one)),
        []
      )
      tiny.store.objects.delete(key)
      assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
      assert.deepStrictEqual([await tiny.wrong(), await tiny.pulled()], [[], sums])
      assert.strictEqual((await tiny.run("runs", "--json")).stdout, runs)
      assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} unchanged`])
    })
