import { deepEqual, equal } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { fetched, readAll, readText, all, at, textAt } from "../reading/ask.ts"
import type { World } from "../world/World.ts"

/** A condition of the EUR source's own export, and ours. */
const conditions: ReadonlyArray<readonly [theirs: string, ours: string]> = [
  ["MT", "NM"],
  ["NM", "NM"],
  ["EX", "LP"],
  ["LP", "LP"],
  ["GD", "MP"],
  ["PL", "HP"],
  ["PO", "DMG"]
]
const ignored = ["name", "expansion", "url", "game", "printNumber", "rarity"]

const usd = "SKU Id,Product Line,Set Name,Number,Quantity,Condition,Language,Price"
const usdFile = (product: unknown) => {
  const names = ["game.name", "expansion.name", "printNumber"].map((path) => String(at(product, path)))
  return `${usd}\nsku-1,${names.join(",")},2,Near Mint,English,1.50\n`
}

/** How many cards have this one's game, set name and number. 0: it is no card of one finish in English. */
const namesakes = ({ products }: World, product: unknown) => {
  const same = (each: unknown) => [at(each, "gameId"), at(each, "expansion.name"), at(each, "printNumber")].join(" ")
  const isPlain = ["Standard"].includes(String(at(product, "finishes.0"))) && all(product, "languages.*").includes("en")
  return isPlain && at(product, "printNumber") !== undefined && at(product, "expansion.name") !== undefined
    ? products.filter((each) => same(each) === same(product)).length
    : 0
}

export const presets: ReadonlyArray<Fact> = [
  ...conditions.map(([theirs, ours]) =>
    fact("presets", `of the EUR source ${theirs} becomes ${ours}, and idArticle the customId`, async (world) => {
      const { seller, imported, products } = world
      const me = await seller()
      const id = at(
        products.find((each) => at(each, "id") === 10_007),
        "externalIds.sourceEur.0.id"
      )
      const file = `idArticle,idProduct,language,condition,price,amount\nart-${theirs},${String(id)},English,${theirs},1.50,2\n`
      await imported(me, file, {}, "/sourceEur")
      const [line] = await readAll(me.ask("GET /v1/inventory"), "data.*")
      deepEqual([at(line, "condition"), at(line, "customId")], [ours, `art-${theirs}`])
    })
  ),
  fact("presets", "the USD source matches by line, set and number, and its SKU becomes the customId", async (world) => {
    const me = await world.party({ country: "US", currency: "USD" })
    const unique = world.products.find((each) => namesakes(world, each) === 1)
    await world.imported(me, usdFile(unique), {}, "/sourceUsd")
    const [line] = await readAll(me.ask("GET /v1/inventory"), "data.*")
    deepEqual([at(line, "productId"), at(line, "customId")], [at(unique, "id"), "sku-1"])
  }),
  fact("presets", "of the USD source an ambiguous row is PRODUCT_NOT_FOUND", async (world) => {
    const me = await world.party({ country: "US", currency: "USD" })
    const twin = world.products.find((each) => namesakes(world, each) > 1)
    const job = await world.imported(me, usdFile(twin), {}, "/sourceUsd")
    const { bytes } = await fetched(textAt(job, "errorReportUrl"))
    deepEqual(all(JSON.parse(bytes.toString()), "*.code"), ["PRODUCT_NOT_FOUND"])
  }),
  fact("ignored columns", `an import ignores ${ignored.join(", ")}`, async ({ seller, imported }) => {
    const me = await seller()
    const head = `productId,finish,condition,language,quantity,${ignored.join(",")}`
    const job = await imported(me, `${head}\n10007,Standard,NM,en,2,wrong,wrong,wrong,tidewrack,99,none\n`)
    deepEqual(at(job, "counts"), { total: 1, succeeded: 1, failed: 0 })
    equal(await readText(me.ask("GET /v1/inventory"), "data.0.game"), "emberfall")
  }),
  fact("ignored columns", "an import ignores the ids of the two sources beside a product's", async (world) => {
    const { seller, imported } = world
    const me = await seller()
    const job = await imported(
      me,
      "productId,sourceEur,sourceUsd,finish,condition,language,quantity\n10007,1,2,Standard,NM,en,2\n"
    )
    deepEqual(at(job, "counts"), { total: 1, succeeded: 1, failed: 0 })
  })
]
