import { resolve } from "node:path"
import { Config, Context, Effect, Layer } from "effect"
import { namedHome, readableHome } from "./readableHome.ts"
import { readMarker } from "./HomeMarker.ts"
import { HomeInBucket, soundHome } from "./bucket/HomeInBucket.ts"
import { isBucket } from "./bucket/isBucket.ts"
import { homePaths } from "./homePaths.ts"

/** Where the home lies, if the folder at hand is only what a command needs of it. */
export interface HomePlace {
  /** The address of its bucket; null: the folder is the home. */
  readonly address: string | null
  /** True if a run builds `lake.duckdb`; not in a bucket, where nobody could open it: a copy of the home has its own. */
  readonly buildsLake: boolean
  /** Games that a night leaves alone, each with the sentence that names its lost document. */
  readonly lostGames: ReadonlyMap<string, string>
}
const here: HomePlace = { address: null, buildsLake: true, lostGames: new Map() }

/** The paths below a folder that is a home, and where that home lies. */
export const homeIn = (root: string, place: HomePlace = here) => ({ ...homePaths(root), place })

/** The home: the folder of the lake. Reads `CARDLAKE_HOME`, else `data/lake` in the current folder. */
export class Home extends Context.Service<Home, ReturnType<typeof homeIn>>()("cardlake/lake/Home") {
  static readonly layerAt = (place: HomePlace | undefined) =>
    Layer.effect(
      Home,
      Effect.gen(function* () {
        const setting = yield* soundHome(yield* Config.String("CARDLAKE_HOME").pipe(Config.withDefault("data/lake")))
        if (isBucket(setting)) return yield* new HomeInBucket({ address: setting })
        const home = homeIn(resolve(yield* namedHome(setting)), place)
        yield* readableHome(home.root)
        // What a later version made can be misread as easily as it can be damaged.
        yield* readMarker(home)
        return home
      })
    )
  static readonly layer = this.layerAt(undefined)
}
