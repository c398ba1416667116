import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { LakeView } from "../LakeReader.ts"
import { decodedSegment } from "../PageRequest.ts"
import type { Pictures } from "./Pictures.ts"

const address = /^\/pictures\/games\/([^/]+)\/products\/(\d{1,16})$/

const none = readFileSync(new URL("../assets/nopicture.svg", import.meta.url), "utf8")

/** What stands for a card that has no picture here. */
const placeholder = HttpServerResponse.text(none, {
  status: 404,
  contentType: "image/svg+xml; charset=utf-8",
  headers: { "cache-control": "max-age=300" }
})

/** The picture of a product as its feed names it; null = the address asks for none. */
export const pictureAnswer = (path: string, lake: LakeView, pictures: Pictures["Service"]) => {
  const [, game, id] = address.exec(path) ?? []
  if (game === undefined || id === undefined) return null
  const gameId = decodedSegment(game)
  if (gameId === "") return null
  return Effect.gen(function* () {
    const [row] = yield* lake.rows(
      "Find the picture",
      "select image_url from products where game_id = $game and product_id = $id::bigint",
      { game: gameId, id }
    )
    const link = row?.["image_url"] ?? null
    const picture = link === null ? null : yield* pictures.at(String(link))
    return picture === null
      ? placeholder
      : HttpServerResponse.uint8Array(picture.bytes, {
          contentType: picture.type,
          headers: { "cache-control": "private, max-age=86400" }
        })
  })
}
