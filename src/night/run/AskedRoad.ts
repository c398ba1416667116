import { Config, Context, Effect, Layer } from "effect"
import { SettingInvalid } from "../../feed/contract/SettingInvalid.ts"
import { Road } from "../../feed/contract/Road.ts"

/** How games are to be read; `auto`: each as it was read for what is published, a new one by feed files where there are any. */
export const askedRoads = ["auto", ...Road.literals] as const

export const askedRoadSetting = Effect.gen(function* () {
  const name = "CARDLAKE_ROAD"
  const text = yield* Config.String(name).pipe(Config.withDefault("auto"))
  const road = askedRoads.find((one) => one === text)
  return road === undefined
    ? yield* new SettingInvalid({ name, what: `is none of ${askedRoads.join(", ")}` })
    : { road }
})

/** Reads `CARDLAKE_ROAD`. */
export class AskedRoad extends Context.Service<AskedRoad, { readonly road: (typeof askedRoads)[number] }>()(
  "cardlake/run/AskedRoad"
) {
  static readonly layer = Layer.effect(AskedRoad, askedRoadSetting)
}
