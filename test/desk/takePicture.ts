import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runProgram, startExplore } from "../bench/program.ts"
import { Chromium } from "./explorer/chromium.ts"

/** `npm run picture`: makes a demo, and takes README's picture of its first page again. */
const picture = fileURLToPath(new URL("../../src/desk/explorer/overview.png", import.meta.url))

const take = Effect.gen(function* () {
  const browser = yield* Chromium
  if (browser === null) return yield* Effect.die("There is no Chromium")
  const folder = mkdtempSync(join(tmpdir(), "cardlake-picture-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const home = join(folder, "demo")
  yield* Effect.promise(() => runProgram(["demo", "--home", home], {}))
  const { stop, url } = yield* Effect.promise(() => startExplore(home))
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  yield* Effect.promise(async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 799 }, deviceScaleFactor: 2 })
    await page.goto(url)
    await page.screenshot({ path: picture })
  })
})

await Effect.runPromise(take.pipe(Effect.provide(Chromium.layer), Effect.scoped))
