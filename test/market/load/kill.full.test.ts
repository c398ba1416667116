import { assert, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { seededNumber } from "../../../src/market/catalogue/seededNumber.ts"
import { startSandbox } from "../facts/world/startSandbox.ts"
import { checkNewest, checkWhole } from "./checkDealer.ts"
import { makeDealer } from "./Dealer.ts"

const kills = 300
const dealersAtWork = 6

it("300 kills under load lose no answered write and leave no order half made", { timeout: 3_600_000 }, async () => {
  const state = mkdtempSync(join(tmpdir(), "cardlake-kill-"))
  try {
    const start = () => startSandbox("--empty", "--state", state)
    let sandbox = await start()
    let there = Promise.resolve(sandbox.url)
    const address = { url: () => there }
    const names = Array.from({ length: dealersAtWork }, (_, at) => `dealer ${at}`)
    const dealers = await Promise.all(names.map((name) => makeDealer(address, name)))
    for (let kill = 0; kill < kills; kill++) {
      const closing = new AbortController()
      const work = dealers.map(async (dealer) => {
        while (!closing.signal.aborted) await dealer.act()
      })
      await setTimeout(20 + seededNumber("kill", kill) * 300)
      const back = Promise.withResolvers<string>()
      there = back.promise
      await sandbox.stop("SIGKILL")
      closing.abort()
      sandbox = await start()
      back.resolve(sandbox.url)
      await Promise.all(work)
      for (const dealer of dealers) await checkNewest(address, dealer)
    }
    for (const dealer of dealers) await checkWhole(address, dealer)
    await sandbox.stop("SIGKILL")
    const database = new DatabaseSync(join(state, "state.sqlite"))
    assert.deepEqual({ ...database.prepare("pragma integrity_check").get() }, { integrity_check: "ok" })
    database.close()
    const answered = dealers.reduce((sum, dealer) => sum + dealer.answered, 0)
    const orders = dealers.reduce((sum, dealer) => sum + dealer.orders.size, 0)
    console.log(`${kills} kills, ${answered} answered writes, ${orders} orders`)
    assert.isAbove(answered, 10 * kills)
  } finally {
    rmSync(state, { recursive: true })
  }
})
