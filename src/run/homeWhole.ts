import { Effect } from "effect"
import { readCurrent } from "../lake/publish/Current.ts"
import { FileDamaged } from "../lake/home/FileDamaged.ts"
import { Home } from "../lake/home/Home.ts"
import { lakeIsWhole } from "../lake/publish/lakeIsWhole.ts"
import { damageFound, damagesOf } from "../lake/repair/damages.ts"
import { HomeDamaged } from "../lake/repair/namingDamage.ts"
import { noPublicationIsLost } from "../lake/repair/lostPublications.ts"

/** Reads every file of the home and compares it with what is on record. */
export const homeWhole = Effect.gen(function* () {
  const current = yield* Effect.tap(readCurrent, noPublicationIsLost)
  const home = yield* Home
  const lake = yield* damageFound(
    Effect.catchTag(lakeIsWhole, "NoLake", () =>
      Object.keys(current.games).length === 0
        ? Effect.void
        : Effect.fail(new FileDamaged({ file: home.lake, what: "it is gone; the next night builds it again" }))
    )
  )
  const says = [...(yield* damagesOf(current)), ...lake].map((damage) => damage.says)
  return says.length === 0 ? "Every file is as it was written" : yield* new HomeDamaged({ says })
})
