import { DamageableHome } from "./damageableHome.ts"
import { damageHome, kinds } from "./damagedHome.ts"
import { suite } from "../support/suite.ts"

suite(DamageableHome.layer, "a home in which each file in turn is damaged", (it) => {
  for (const kind of kinds) {
    it(`${kind}: nothing else is lost, nothing wrong is published, and the file is named`, function* () {
      const { cases, refused } = yield* damageHome([kind], () => true)
      console.log(`${kind}: ${cases} cases, ${refused} nights refused`)
    }, 1_800_000)
  }
})
