import { resolve } from "node:path"
import { Config, Context, Effect, Layer } from "effect"
import { homePaths, type HomePaths } from "./homePaths.ts"

/** The home: the folder that holds the lake. Reads `CARDLAKE_HOME`, else `data/lake` of the present folder. */
export class Home extends Context.Service<Home, HomePaths>()("cardlake/lake/Home") {
  static readonly layer = Layer.effect(
    Home,
    Effect.map(Config.String("CARDLAKE_HOME").pipe(Config.withDefault("data/lake")), (home) => homePaths(resolve(home)))
  )
}
