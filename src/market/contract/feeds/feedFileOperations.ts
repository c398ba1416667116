import { operations } from "../operationRows.ts"
import { HttpApiGroup } from "effect/http-api"
import { GameId } from "../../../feed/contract/Catalogue.ts"
import { common, NotFound } from "../../../feed/contract/Errors.ts"
import { FeedFile, feedFilesOperation, FeedNotGenerated } from "../../../feed/contract/FeedFile.ts"

const params = { gameId: GameId }
const read = operations([...common, NotFound, FeedNotGenerated])

/** The feed files of a game. Needs any valid key. Beyond the spec: section 8. */
export const feedFileOperations = HttpApiGroup.make("feedFiles").add(
  feedFilesOperation,
  read("GET", "catalogFeed", "/v1/feeds/:gameId/catalog", "The feed file of a game's products", {
    params,
    success: FeedFile
  }),
  read("GET", "expansionsFeed", "/v1/feeds/:gameId/expansions", "The feed file of a game's expansions", {
    params,
    success: FeedFile
  }),
  read("GET", "pricesFeed", "/v1/feeds/:gameId/prices", "The feed file of a game's prices", {
    params,
    success: FeedFile
  })
)
