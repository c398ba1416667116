import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, section, untried } from "../Fact.ts"
import { answered, refused, all, at } from "../reading/ask.ts"
import * as kind from "../reading/kinds.ts"
import { slab } from "../world/trade.ts"

const party = fieldsOf("a party", ({ sales, purchases }) => [...all(sales, "*.buyer"), ...all(purchases, "*.seller")])
const buyer = fieldsOf("a buyer", ({ sales }) => all(sales, "*.buyer"))
const seller = fieldsOf("a seller", ({ purchases }) => all(purchases, "*.seller"))
const item = fieldsOf("an item", ({ sales, purchases }) => all([...sales, ...purchases], "*.items.*"))

export const parties = [
  section("spec", "OrderParty", [
    ...party(kind.filled, "id username"),
    fact("id", "an id is stable: the same buyer has it in every sale, and it is the account's", async (world) => {
      const { sales, buyer } = world
      deepEqual([...new Set(all(sales, "*.buyer.id"))], [buyer.id])
    }),
    fact("username", "a username is the account's public name", async ({ sales, buyer }) => {
      equal(at(sales, "0.buyer.username"), buyer.username)
    }),
    ...party(kind.maybeNull(kind.text), "avatarUrl"),
    untried("avatarUrl", "an uploaded avatar has an address", "no operation uploads an avatar"),
    ...party(kind.maybeNull(kind.country), "country"),
    untried("country", "an unknown country is null", "every account of a sandbox has a country"),
    ...seller(kind.eachOf("pro", "individual"), "type"),
    ...buyer(kind.just(null), "type reliability"),
    ...party(kind.object, "rating"),
    ...party(kind.countable, "rating.count"),
    fact("rating", "rating.average is a number once there are reviews, and count is their number", async (world) => {
      const { purchaseOf, byStatus } = world
      const found = await purchaseOf(byStatus["completed"]?.orderNumber ?? "")
      deepEqual(at(found, "seller.rating"), { average: 4, count: 1 })
    }),
    ...seller(kind.nullOr(kind.object), "reliability"),
    ...seller(kind.integer, "reliability.orderCount reliability.completedCount"),
    fact("reliability", "completionRate is a fraction between 0 and 1", async ({ purchases }) => {
      const rates = all(purchases, "*.seller.reliability.completionRate").filter((it) => it !== null)
      ok(rates.length > 0)
      ok(rates.every((it) => kind.number.is(it) && Number(it) >= 0 && Number(it) <= 1))
    }),
    fact("reliability", "avgShipTimeHours is a number of hours", async ({ purchases }) => {
      const hours = all(purchases, "*.seller.reliability.avgShipTimeHours").filter((it) => it !== null)
      ok(hours.length > 0)
      ok(hours.every((it) => kind.number.is(it) && Number(it) >= 0))
    }),
    fact("reliability", "it is null while a seller has too few recent orders", async ({ purchases }) => {
      const lone = purchases.find((each) => at(each, "seller.type") === "individual")
      equal(at(lone, "seller.reliability"), null)
    })
  ]),
  section("spec", "Graded", [
    ...item(kind.nullOr(kind.object), "graded", ""),
    fact("", "graded is null for raw cards and sealed products", async ({ sales }) => {
      deepEqual(
        all(sales, "0.items.*").map((each) => at(each, "graded") === null),
        [true, false, true, true]
      )
    }),
    ...item(kind.filled, "graded.gradingService", "gradingService"),
    ...item(kind.filled, "graded.grade", "grade"),
    fact("grade", "a grade stays as it is printed on the slab", async ({ seller, stock, shop }) => {
      const me = await seller()
      const [line] = await stock(me, { ...slab, graded: { gradingService: "BGS", grade: "09.50 Q" } })
      const read = await answered(me.ask(`GET /v1/inventory/${String(at(line, "id"))}`))
      equal(at(read, "graded.grade"), "09.50 Q")
      await refused(shop.ask("POST /v1/inventory", { lines: [{ ...slab, graded: { gradingService: "BGS" } }] }), 400)
    }),
    fact("certification", "a certification is a text, or null when there is none", async ({ seller, stock }) => {
      const numbered = { ...slab.graded, certification: "0042-A" }
      const [without, having] = await stock(await seller(), slab, { ...slab, graded: numbered })
      deepEqual([at(without, "graded.certification"), at(having, "graded.certification")], [null, "0042-A"])
    })
  ])
]
