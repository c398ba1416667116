import { existsSync } from "node:fs"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Home } from "../../src/store/home/Home.ts"
import { isInstalled } from "./isInstalled.ts"

/** Nothing says where the lake is, and an installed program makes none in whatever folder it is started. */
export class HomeUnnamed extends Schema.TaggedError<HomeUnnamed>()("HomeUnnamed", { folder: Schema.String }) {
  override get message() {
    return `Nothing says where the lake is: ${this.folder} has no .env that does. Start this in a folder with one, make one with: cardlake init FOLDER; or name the lake with --home or CARDLAKE_HOME`
  }
}

/** The home. The checkout has one of its own, and so has a folder that was used like it; elsewhere it has to be named. */
export const namedHome = Layer.unwrap(
  Effect.gen(function* () {
    const named = yield* Config.option(Config.String("CARDLAKE_HOME"))
    if (isInstalled && Option.isNone(named) && !existsSync("data/lake"))
      return yield* new HomeUnnamed({ folder: process.cwd() })
    return Home.layer
  })
)
