import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { changelogPages } from "../../../src/feed/reading/changelogEntries.ts"
import { offsetPages } from "../../../src/feed/client/offsetPages.ts"
import { wholePage, type CursorPagination, type OffsetPagination } from "../../../src/feed/client/pageCalls.ts"
import { against, sendJson, StrangeServer } from "./StrangeServer.ts"
import { live } from "../../support/suite.ts"

const changelog = Stream.runCollect(
  changelogPages({ gameId: "fable", includeChanges: true, limit: 100 }, wholePage<CursorPagination>, Effect.succeed)
)
const offsets = Stream.runCollect(
  offsetPages({ gameId: "fable", list: "expansions" }, wholePage<OffsetPagination>, ({ pagination }) =>
    Effect.succeed({ pagination })
  ).pipe(Stream.map(({ pagination }) => pagination.offset))
)

describe("changelogPages", () => {
  for (const last of [null, ""])
    live(`ends at the page whose nextCursor is ${JSON.stringify(last)} and passes cursors back verbatim`, () =>
      Effect.gen(function* () {
        const pages = yield* changelog
        assert.deepStrictEqual(
          pages.map(({ data }) => data),
          [["a"], [], ["c"]]
        )
        const { asked } = yield* StrangeServer
        assert.deepStrictEqual(
          asked.map(({ query }) => [query.get("cursor"), query.get("includeChanges"), query.get("limit")]),
          [
            [null, "true", "100"],
            ["x&y=é", "true", "100"],
            ["2", "true", "100"]
          ]
        )
      }).pipe(
        against(({ count }, response) =>
          sendJson(response, {
            data: [["a"], [], ["c"]][count],
            pagination: { nextCursor: ["x&y=é", "2", last][count] }
          })
        )
      )
    )

  live("a cursor that comes twice is an error, not a loop", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(changelog)
      assert.strictEqual(error._tag, "PagingBroken")
      assert.match(error.message, /the same cursor came twice/)
      assert.strictEqual((yield* StrangeServer).asked.length, 3)
    }).pipe(
      against(({ count }, response) =>
        sendJson(response, { data: [], pagination: { nextCursor: count % 2 === 0 ? "even" : "odd" } })
      )
    )
  )
})

describe("offset lists", () => {
  const page = (offset: number, total: number, hasMore = offset + 200 < total) => ({
    data: [],
    pagination: { offset, limit: 200, total, hasMore }
  })

  live("come in the order of their offsets, whatever the order of the answers", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offsets, [0, 200, 400, 600, 800])
    }).pipe(
      against(({ query }, response) => {
        const offset = Number(query.get("offset"))
        setTimeout(() => sendJson(response, page(offset, 1000)), offset === 200 ? 40 : 0)
      })
    )
  )

  live("have as many pages as the first total says, even when hasMore stays true", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offsets, [0, 200, 400])
      assert.strictEqual((yield* StrangeServer).asked.length, 3)
    }).pipe(against(({ query }, response) => sendJson(response, page(Number(query.get("offset")), 401, true))))
  )

  live("are one page when they are empty", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offsets, [0])
    }).pipe(against((_, response) => sendJson(response, page(0, 0))))
  )

  live("have at most sixteen pages in flight", () => {
    let inFlight = 0
    let most = 0
    return Effect.gen(function* () {
      assert.strictEqual((yield* offsets).length, 60)
      assert.isAtMost(most, 16)
      assert.isAtLeast(most, 2)
    }).pipe(
      against(({ query }, response) => {
        most = Math.max(most, ++inFlight)
        setTimeout(() => {
          inFlight -= 1
          sendJson(response, page(Number(query.get("offset")), 12_000))
        }, 5)
      })
    )
  })
})
