import { afterAll, assert, it } from "@effect/vitest"
import { probeStore } from "../../../src/store/home/bucket/probeStore.ts"
import { type Before, startConditionalStore, useStore } from "./conditionalStore.ts"

const store = await startConditionalStore()
afterAll(store.stop)

const probed = (before: Before) => {
  store.state.before = before
  return useStore(store.env, "s3://lakes/probed", (opened) => probeStore(opened, "20261126T000000000Z-00000000"))
}

it("a write that the store answers with 409 is sent again before the store is judged", async () => {
  const seen = new Set<string>()
  const millis = await probed(({ headers, method }, response) => {
    const condition = `${headers["if-match"]} ${headers["if-none-match"]}`
    if (method !== "PUT" || seen.has(condition)) return false
    seen.add(condition)
    response.writeHead(409).end("<Error><Code>ConditionalRequestConflict</Code></Error>")
    return true
  })
  assert.lengthOf([...seen], 3)
  assert.closeTo(millis, Date.now(), 5000)
})

// Of the probe's seven requests; the eighth removes what it wrote.
for (const lost of [1, 2, 3, 4, 5, 6, 7])
  it(`an answer that is lost, the probe's number ${lost}, is asked for again`, async () => {
    let asked = 0
    const millis = await probed((request, response, body) => {
      if (++asked !== lost) return false
      store.answer(request, { ...response, writeHead: () => ({ end: () => {} }) } as never, body)
      request.socket.destroy()
      return true
    })
    assert.closeTo(millis, Date.now(), 5000)
  })
