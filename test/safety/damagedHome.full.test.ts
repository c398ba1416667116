import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { DamageableHome } from "./damageableHome.ts"
import { damageHome, kinds } from "./damagedHome.ts"

layer(DamageableHome.layer, { excludeTestServices: true })("a home in which each file in turn is damaged", (it) => {
  for (const kind of kinds) {
    it.effect(
      `${kind}: nothing else is lost, nothing wrong is published, and the file is named`,
      () =>
        Effect.gen(function* () {
          const { cases, refused } = yield* damageHome([kind], () => true)
          console.log(`${kind}: ${cases} cases, ${refused} nights refused`)
        }),
      1_800_000
    )
  }
})
