import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, search, Served } from "./Served.ts"

const changelog = (gameId: string, query = "") => ask(`/v1/feeds/${gameId}/changelog${query}`)
const deploy = (gameId: string) => ask("/sandbox/deploy", { body: { gameId } })

layer(Served.layer())("changelog", (it) => {
  it.effect("at start the first deployment is the only entry and adds everything", () =>
    Effect.gen(function* () {
      const { json } = yield* changelog("clockwork-orchard")
      const { json: products } = yield* search({ gameFilters: { game: "clockwork-orchard" } })
      const { total } = products.pagination
      assert.deepStrictEqual(
        json.data.map((entry) => entry.summary.products),
        [{ added: total, modified: 0, removed: 0 }]
      )
    })
  )

  it.effect("a page keeps its place while newer entries are added", () =>
    Effect.gen(function* () {
      yield* deploy("tidewrack")
      const first = yield* changelog("tidewrack", "?limit=1")
      yield* deploy("tidewrack")
      const rest = yield* changelog("tidewrack", `?cursor=${first.json.pagination.nextCursor}`)
      const all = yield* changelog("tidewrack")
      const ids = all.json.data.map((entry) => entry.id)
      assert.strictEqual(ids.length, 3)
      assert.deepStrictEqual(
        [...first.json.data, ...rest.json.data].map((entry) => entry.id),
        ids.slice(1)
      )
      assert.isNull(rest.json.pagination.nextCursor)
    })
  )

  it.effect("a step that moves only prices has no entry and keeps the head", () =>
    Effect.gen(function* () {
      const second = yield* deploy("emberfall")
      const before = yield* search({ gameFilters: { game: "emberfall" }, limit: 200 })
      const third = yield* deploy("emberfall")
      const after = yield* search({ gameFilters: { game: "emberfall" }, limit: 200 })
      const { json } = yield* changelog("emberfall")
      assert.strictEqual(third.json.deploymentId, second.json.deploymentId)
      assert.deepStrictEqual([json.data.length, json.data[0]?.id], [2, second.json.deploymentId])
      assert.notDeepEqual(after.json.data, before.json.data)
    })
  )

  it.effect("with includeChanges the lists are as long as the counts, and a removed item has its slug only", () =>
    Effect.gen(function* () {
      const { json } = yield* changelog("tidewrack", "?includeChanges=true")
      for (const { summary, changes } of json.data) {
        for (const kind of ["products", "expansions"] as const) {
          const { added, modified, removed } = changes[kind]
          assert.deepStrictEqual(summary[kind], {
            added: added.length,
            modified: modified.length,
            removed: removed.length
          })
          assert.isTrue(removed.every((item) => item.slug !== "" && !("id" in item)))
          assert.isTrue([...added, ...modified].every((item) => typeof item.id === "number" && item.slug !== ""))
        }
      }
    })
  )

  it.effect("without includeChanges an entry has no lists", () =>
    Effect.gen(function* () {
      const { json } = yield* changelog("tidewrack", "?includeChanges=false")
      assert.isTrue(json.data.every((entry) => !("changes" in entry)))
    })
  )

  it.effect("a cursor of another game is refused", () =>
    Effect.gen(function* () {
      yield* deploy("clockwork-orchard")
      const page = yield* changelog("clockwork-orchard", "?limit=1")
      const { status, json } = yield* changelog("tidewrack", `?cursor=${page.json.pagination.nextCursor}`)
      assert.deepStrictEqual([status, json.data["field"]], [400, "cursor"])
    })
  )
})

layer(Served.layer({ live: "last" }))("deploy", (it) => {
  it.effect("with the newest deployment live there is nothing left to deploy", () =>
    Effect.gen(function* () {
      const { status, json } = yield* deploy("emberfall")
      assert.deepStrictEqual([status, json.code], [409, "CONFLICT"])
    })
  )

  it.effect("an unknown game is named", () =>
    Effect.gen(function* () {
      const { status, json } = yield* deploy("nowhere")
      assert.deepStrictEqual([status, json.code, json.data["gameId"]], [404, "GAME_NOT_FOUND", "nowhere"])
    })
  )

  it.effect("the in-process deploy fails where the route refuses", () =>
    Effect.gen(function* () {
      const { deploy } = yield* Served
      const error = yield* Effect.flip(deploy("emberfall"))
      assert.strictEqual(error._tag, "NothingToDeploy")
    })
  )
})

layer(Served.layer())("deploy", (it) => {
  it.effect("switches the products at once and counts down what remains", () =>
    Effect.gen(function* () {
      const before = yield* search({ gameFilters: { game: "clockwork-orchard" } })
      const remaining = []
      for (let step = 0; step < 3; step++) remaining.push((yield* deploy("clockwork-orchard")).json.remaining)
      const after = yield* search({ gameFilters: { game: "clockwork-orchard" } })
      assert.deepStrictEqual(remaining, [2, 1, 0])
      assert.notStrictEqual(after.json.pagination.total, before.json.pagination.total)
    })
  )
})
