import { afterAll, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { node, root, start, startSandbox } from "../../pipelines/cli.ts"
import { playPrices, playShop } from "./playExamples.ts"

const sandbox = await startSandbox({ odd: false })
afterAll(sandbox.stop)

describe("in the checkout, which imports cardlake/client by that name", () => {
  const play = (program: string, args: ReadonlyArray<string>, env: Record<string, string>) =>
    start(node, [join(root, "pipelines/examples", program), ...args], { env })

  it("the shop puts its stock on sale, and ships what is ordered", () => playShop(sandbox.url, play))

  it("the price list has every product that is for sale", () => playPrices(sandbox.url, play))
})
