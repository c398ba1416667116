import { resolve } from "node:path"
import { Config, Context, Effect, Layer } from "effect"
import { namedHome, readableHome } from "./readableHome.ts"
import { readMarker } from "./HomeMarker.ts"
import { HomeInBucket, soundHome } from "./bucket/HomeInBucket.ts"
import { isBucket } from "./bucket/isBucket.ts"
import { homePaths, type HomePaths } from "./homePaths.ts"

/** The home: the folder of the lake. Reads `CARDLAKE_HOME`, else `data/lake` in the current folder. */
export class Home extends Context.Service<Home, HomePaths>()("cardlake/lake/Home") {
  static readonly layer = Layer.effect(
    Home,
    Effect.gen(function* () {
      const setting = yield* soundHome(yield* Config.String("CARDLAKE_HOME").pipe(Config.withDefault("data/lake")))
      if (isBucket(setting)) return yield* new HomeInBucket({ address: setting })
      const home = homePaths(resolve(yield* namedHome(setting)))
      yield* readableHome(home.root)
      // What a later version made can be misread as easily as it can be damaged.
      yield* readMarker(home)
      return home
    })
  )
}
