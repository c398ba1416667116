import assert from "node:assert/strict"
import { fact, type Section, untried } from "../Fact.ts"
import { answered, refused } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import {
  countable,
  country,
  eachOf,
  filled,
  integer,
  just,
  maybeNull,
  nullOr,
  number,
  object,
  text
} from "../reading/kinds.ts"
import { all, at } from "../reading/paths.ts"
import { slab } from "../world/trade.ts"

const party = fieldsOf("a party", ({ sales, purchases }) => [...all(sales, "*.buyer"), ...all(purchases, "*.seller")])
const buyer = fieldsOf("a buyer", ({ sales }) => all(sales, "*.buyer"))
const seller = fieldsOf("a seller", ({ purchases }) => all(purchases, "*.seller"))
const item = fieldsOf("an item", ({ sales, purchases }) => all([...sales, ...purchases], "*.items.*"))

export const parties: ReadonlyArray<Section> = [
  {
    document: "spec",
    heading: "OrderParty",
    facts: [
      party("id", "id", filled),
      fact(
        "id",
        "an id is stable: the same buyer has it in every sale, and it is the account's",
        async ({ sales, buyer }) => {
          assert.deepEqual([...new Set(all(sales, "*.buyer.id"))], [buyer.id])
        }
      ),
      party("username", "username", filled),
      fact("username", "a username is the account's public name", async ({ sales, buyer }) => {
        assert.equal(at(sales, "0.buyer.username"), buyer.username)
      }),
      party("avatarUrl", "avatarUrl", maybeNull(text)),
      untried("avatarUrl", "an uploaded avatar has an address", "no operation uploads an avatar"),
      party("country", "country", maybeNull(country)),
      untried("country", "an unknown country is null", "every account of a sandbox has a country"),
      seller("type", "type", eachOf("pro", "individual")),
      buyer("type", "type", just(null)),
      party("rating", "rating", object),
      party("rating", "rating.count", countable),
      fact(
        "rating",
        "rating.average is a number once there are reviews, and count is their number",
        async ({ purchaseOf, byStatus }) => {
          const found = await purchaseOf(byStatus["completed"]?.orderNumber ?? "")
          assert.deepEqual(at(found, "seller.rating"), { average: 4, count: 1 })
        }
      ),
      buyer("reliability", "reliability", just(null)),
      seller("reliability", "reliability", nullOr(object)),
      seller("reliability", "reliability.orderCount", integer),
      seller("reliability", "reliability.completedCount", integer),
      fact("reliability", "completionRate is a fraction between 0 and 1", async ({ purchases }) => {
        const rates = all(purchases, "*.seller.reliability.completionRate").filter((it) => it !== null)
        assert.ok(rates.length > 0)
        assert.ok(rates.every((it) => number.is(it) && Number(it) >= 0 && Number(it) <= 1))
      }),
      fact("reliability", "avgShipTimeHours is a number of hours", async ({ purchases }) => {
        const hours = all(purchases, "*.seller.reliability.avgShipTimeHours").filter((it) => it !== null)
        assert.ok(hours.length > 0)
        assert.ok(hours.every((it) => number.is(it) && Number(it) >= 0))
      }),
      fact("reliability", "it is null while a seller has too few recent orders", async ({ purchases }) => {
        const lone = purchases.find((each) => at(each, "seller.type") === "individual")
        assert.equal(at(lone, "seller.reliability"), null)
      })
    ]
  },
  {
    document: "spec",
    heading: "Graded",
    facts: [
      item("", "graded", nullOr(object)),
      fact("", "graded is null for raw cards and sealed products", async ({ sales }) => {
        assert.deepEqual(
          all(sales, "0.items.*").map((each) => at(each, "graded") === null),
          [true, false, true, true]
        )
      }),
      item("gradingService", "graded.gradingService", filled),
      item("grade", "graded.grade", filled),
      fact("grade", "a grade stays as it is printed on the slab", async ({ seller, stock, shop }) => {
        const me = await seller()
        const [line] = await stock(me, { ...slab, graded: { gradingService: "BGS", grade: "09.50 Q" } })
        const read = await answered(me.ask(`GET /v1/inventory/${String(at(line, "id"))}`))
        assert.equal(at(read, "graded.grade"), "09.50 Q")
        await refused(shop.ask("POST /v1/inventory", { lines: [{ ...slab, graded: { gradingService: "BGS" } }] }), 400)
      }),
      fact("certification", "a certification is a text, or null when there is none", async ({ seller, stock }) => {
        const numbered = { ...slab.graded, certification: "0042-A" }
        const [without, having] = await stock(await seller(), slab, { ...slab, graded: numbered })
        assert.deepEqual([at(without, "graded.certification"), at(having, "graded.certification")], [null, "0042-A"])
      })
    ]
  }
]
