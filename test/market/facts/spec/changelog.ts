import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section } from "../Fact.ts"
import { answered, readAll, readAt, readList, refused, all, at, keysAt, listAt, textAt } from "../reading/ask.ts"
import { countable, dateTime, filled } from "../reading/kinds.ts"

const path = "/v1/feeds/clockwork-orchard/changelog"

/** The changelog of a game that was deployed three times more. */
const deployed = once(async ({ ask, control }) => {
  for (let times = 0; times < 3; times++)
    await answered(control("POST /sandbox/deploy", { gameId: "clockwork-orchard" }))
  return await readList(ask(`GET ${path}?includeChanges=true`), "data")
})
const entry = fieldsOf("an entry", deployed)

const bounds: ReadonlyArray<readonly [limit: string, status: number]> = [
  ["1", 200],
  ["100", 200],
  ["0", 400],
  ["101", 400],
  ["1.5", 400],
  ["x", 400]
]

export const changelog = [
  section("spec", "GET /v1/feeds/{gameId}/changelog", [
    fact("", "an entry is one catalogue update, newest first", async (world) => {
      const times = all(await deployed(world), "*.deployedAt").map(String)
      equal(times.length, 4)
      deepEqual(times, times.toSorted().toReversed())
    }),
    fact("", "any valid key reads it, without a scope", async ({ buyer, keyFor }) => {
      await answered((await keyFor(buyer)).ask(`GET ${path}`))
    }),
    fact("gameId", "it is the game's id of /v1/games", async ({ ask }) => {
      for (const id of await readAll(ask("GET /v1/games"), "data.*.id"))
        await answered(ask(`GET /v1/feeds/${String(id)}/changelog`))
    }),
    fact("cursor", "nextCursor leads to the next page, and the last one has none", async (world) => {
      const whole = all(await deployed(world), "*.id")
      const found: Array<unknown> = []
      let cursor: unknown = ""
      while (cursor !== null) {
        const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(String(cursor))}`
        const page: unknown = await answered(world.ask(`GET ${path}?limit=1${more}`))
        found.push(...all(page, "data.*.id"))
        cursor = at(page, "pagination.nextCursor")
      }
      deepEqual(found, whole)
    }),
    fact("cursor", "one that was not given is refused", async ({ ask }) => {
      await refused(ask(`GET ${path}?cursor=made-up`), 400, "BAD_REQUEST")
    }),
    ...bounds.map(([limit, status]) =>
      fact("limit", `${limit} is ${status === 200 ? "taken" : "refused"}`, async ({ ask }) => {
        equal((await ask(`GET ${path}?limit=${limit}`)).status, status)
      })
    ),
    fact("includeChanges", "without it an entry has no lists", async ({ ask }) => {
      for (const query of ["", "?includeChanges=false"])
        deepEqual(keysAt(await answered(ask(`GET ${path}${query}`)), "data.0"), ["deployedAt", "id", "summary"])
    }),
    fact("includeChanges", "with it an entry lists as many products and expansions as it counts", async (world) => {
      for (const each of await deployed(world))
        for (const kind of ["products", "expansions"])
          for (const change of ["added", "modified", "removed"])
            equal(listAt(each, `changes.${kind}.${change}`).length, at(each, `summary.${kind}.${change}`))
    }),
    fact("includeChanges", "each has slug and id, as long as it is there", async (world) => {
      const [newest] = await deployed(world)
      const products = [...listAt(newest, "changes.products.added"), ...listAt(newest, "changes.products.modified")]
      ok(products.length > 0)
      for (const each of products) {
        ok(textAt(each, "slug") !== "")
        await answered(world.ask(`GET /v1/products/${String(at(each, "id"))}`))
      }
    }),
    fact("includeChanges", "anything but true and false is refused", async ({ ask }) => {
      await refused(ask(`GET ${path}?includeChanges=perhaps`), 400, "BAD_REQUEST")
    }),
    ...entry(filled, "id"),
    ...entry(dateTime, "deployedAt"),
    ...["products", "expansions"].flatMap((kind) =>
      entry(
        countable,
        ["added", "modified", "removed"].map((change) => `summary.${kind}.${change}`).join(" "),
        `summary.${kind}`
      )
    ),
    fact("summary.products", "an added product is found, a removed one is not", async (world) => {
      const entries = (await deployed(world)).toReversed()
      const sizes = entries.map(
        (each) => Number(at(each, "summary.products.added")) - Number(at(each, "summary.products.removed"))
      )
      const body = { gameFilters: { game: "clockwork-orchard" } }
      const total = await readAt(world.ask("POST /v1/products/search?limit=1", body), "pagination.total")
      equal(
        sizes.reduce((sum, size) => sum + size, 0),
        total
      )
    })
  ])
]
