import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Asked, listen } from "../feed/client/StrangeServer.ts"
import { entry } from "../feed/reading/feed.ts"
import { card } from "../feed/rows/records.ts"
import { node, start } from "../pipelines/cli.ts"
import { live, newFolder } from "../support/suite.ts"

const program = join(import.meta.dirname, "readHostile.ts")
const maxMegabytes = 1500
const pages = 18
const perPage = 200
const hostile = "hostile"

/** Joined gzip bodies are one gzip body, so what a page repeats is packed once. */
const packed = new Map<string, Buffer>()
const pack = (text: string): Buffer => {
  const known = packed.get(text) ?? gzipSync(text, { level: 1 })
  packed.set(text, known)
  return known
}

/** The text of a page's records, cut where the repeated part begins and ends. */
type Texts = (page: number) => ReadonlyArray<string>

const record = (id: number, fields: object) => JSON.stringify(card(id, { gameId: hostile, ...fields }))
const cards =
  (fields: object, filling: string): Texts =>
  (page) =>
    Array.from({ length: perPage }, (_, at) => page * perPage + at + 1).flatMap((id) => {
      const [before = "", behind = ""] = record(id, fields).split('"FILLING"')
      return [at(id) + before, filling, behind]
    })
const at = (id: number) => (id % perPage === 1 ? "" : ",")
const whole =
  (text: string): Texts =>
  () => [text]

const kinds: Readonly<Record<string, Texts>> = {
  "texts of 150 KB under an unknown key": cards({ unknown: "FILLING" }, JSON.stringify("x".repeat(150_000))),
  "texts of 150 KB that are kept": cards({ variant: "FILLING" }, JSON.stringify("x".repeat(150_000))),
  "refused records of 150 KB": cards({ name: "FILLING" }, `[${"0,".repeat(9_000)}"${"x".repeat(130_000)}"]`),
  "2 million values that are kept": cards({ attributes: { x: "FILLING" } }, `[${"{},".repeat(5_500)}0]`),
  "15 million zeros": whole(`${"0,".repeat(15_000_000)}0`),
  "3 million unknown keys": whole(
    `{${Array.from({ length: 3_000_000 }, (_, key) => `"key${key}":0`).join(",")}}${",0".repeat(perPage - 1)}`
  ),
  "nesting 15 million deep": whole(`${"[".repeat(15e6)}${"]".repeat(15e6)}${",0".repeat(perPage - 1)}`),
  "a gigabyte of zeros": whole("0".repeat(500_000_000))
}

const send = (response: ServerResponse, ...texts: ReadonlyArray<string>) =>
  response
    .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
    .end(Buffer.concat(texts.map(pack)))

const sendPage = (response: ServerResponse, texts: ReadonlyArray<string>, offset: number, total: number) => {
  const pagination = { offset, limit: perPage, total, hasMore: offset + perPage < total }
  return send(response, '{"data":[', ...texts, `],"pagination":${JSON.stringify(pagination)}}`)
}

const answer = (texts: Texts) => (asked: Asked, response: ServerResponse) => {
  const { path, query } = asked
  const offset = Number(query.get("offset") ?? 0)
  if (path === "/v1/games") {
    return send(response, JSON.stringify({ data: [{ id: hostile, name: hostile }] }))
  }
  if (path.endsWith("/expansions")) return sendPage(response, [], 0, 0)
  if (path !== "/v1/products/search") {
    return send(response, JSON.stringify({ data: [entry("d1")], pagination: { nextCursor: null } }))
  }
  return sendPage(response, texts(offset / perPage), offset, pages * perPage)
}

describe(`${pages} pages of one game, as large as pages may be, are read with less than ${maxMegabytes} MB`, () => {
  for (const [kind, texts] of Object.entries(kinds)) {
    live(
      `${kind}`,
      function* () {
        packed.clear()
        const { settings } = yield* listen(answer(texts))
        const folder = yield* newFolder
        const since = performance.now()
        const read = yield* Effect.promise(
          () => start(node, [program, settings.CARDLAKE_URL, hostile, join(folder, "r1")]).ended
        )
        const seconds = Math.round((performance.now() - since) / 1000)
        const { ended, megabytes } = JSON.parse(read.stdout) as { ended: string; megabytes: number }
        console.log(`${kind}: ${megabytes} MB, ${seconds} s, ${ended}`)
        assert.isBelow(megabytes, maxMegabytes)
      },
      // An object of three million keys takes seconds to parse, even alone.
      1_800_000
    )
  }
})
