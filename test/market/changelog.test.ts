import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, search, Served } from "./Served.ts"
import { suite, values } from "../support/sandbox.ts"

const changelog = (gameId: string, query = "") => ask(`/v1/feeds/${gameId}/changelog${query}`)
const deploy = (gameId: string) => ask("/sandbox/deploy", { body: { gameId } })

suite(Served.layer())("changelog", (it) => {
  it("a page keeps its place while newer entries are added", function* () {
    yield* deploy("tidewrack")
    const first = yield* changelog("tidewrack", "?limit=1")
    yield* deploy("tidewrack")
    const rest = yield* changelog("tidewrack", `?cursor=${first.json.pagination.nextCursor}`)
    const all = yield* changelog("tidewrack")
    const ids = all.json.data.map((entry) => entry.id)
    assert.strictEqual(ids.length, 3)
    assert.deepEqual(values([...first.json.data, ...rest.json.data], "id"), ids.slice(1))
    assert.isNull(rest.json.pagination.nextCursor)
  })

  it("a step that moves only prices has no entry and keeps the head", function* () {
    const second = yield* deploy("emberfall")
    const before = yield* search({ gameFilters: { game: "emberfall" }, limit: 200 })
    const third = yield* deploy("emberfall")
    const after = yield* search({ gameFilters: { game: "emberfall" }, limit: 200 })
    const { json } = yield* changelog("emberfall")
    assert.strictEqual(third.json.deploymentId, second.json.deploymentId)
    assert.deepEqual([json.data.length, json.data[0]?.id], [2, second.json.deploymentId])
    assert.notDeepEqual(after.json.data, before.json.data)
  })

  it("a deployment switches the products at once, and counts down what remains", function* () {
    const total = Effect.map(
      search({ gameFilters: { game: "clockwork-orchard" } }),
      ({ json }) => json.pagination.total
    )
    const before = yield* total
    const remaining = []
    for (let step = 0; step < 3; step++) remaining.push((yield* deploy("clockwork-orchard")).json.remaining)
    assert.deepEqual(remaining, [2, 1, 0])
    assert.notStrictEqual(yield* total, before)
  })

  it("a cursor of another game is refused", function* () {
    const page = yield* changelog("clockwork-orchard", "?limit=1")
    const { status, json } = yield* changelog("tidewrack", `?cursor=${page.json.pagination.nextCursor}`)
    assert.deepEqual([status, json.data["field"]], [400, "cursor"])
  })
})

suite(Served.layer({ live: "last" }))("with the newest deployment live, a deploy", (it) => {
  it("has nothing left to do, by its route and in the process, and names a game that is not there", function* () {
    const [nothing, nowhere] = [yield* deploy("emberfall"), yield* deploy("nowhere")]
    assert.deepEqual([nothing.status, nothing.json.code], [409, "CONFLICT"])
    const { code, data } = nowhere.json
    assert.deepEqual([nowhere.status, code, data["gameId"]], [404, "GAME_NOT_FOUND", "nowhere"])
    const error = yield* Effect.flip((yield* Served).deploy("emberfall"))
    assert.strictEqual(error._tag, "NothingToDeploy")
  })
})
