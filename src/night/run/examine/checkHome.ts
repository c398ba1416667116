import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { FileDamaged } from "../../../store/home/disk.ts"
import { lakeIsWhole } from "../../../store/lake/publish/openLake.ts"
import {
  findDamage,
  findDamages,
  hasRawPages,
  homeDamaged,
  noneUnsupported
} from "../../../store/lake/repair/damages.ts"
import { gamesWithSnapshots, readSnapshots } from "../../../store/home/Manifest.ts"
import { noPublicationIsLost } from "../../../store/lake/repair/lostPublications.ts"

const snapshotsWithoutRawPages = Effect.gen(function* () {
  const all = (yield* Effect.forEach(yield* gamesWithSnapshots, readSnapshots)).flat()
  const without = yield* Effect.filter(all, ({ manifest }) => Effect.map(hasRawPages(manifest), (has) => !has))
  return without.length
})

/** Compares every file of the home with its record. */
export const checkHome = Effect.gen(function* () {
  yield* noneUnsupported
  const current = yield* Effect.tap(readCurrent, noPublicationIsLost)
  const home = yield* Home
  const lake = yield* findDamage(
    Effect.catchTag(lakeIsWhole, "NoLake", () =>
      Object.keys(current.games).length === 0
        ? Effect.void
        : Effect.fail(new FileDamaged({ file: home.lake, what: "it is missing; the next night rebuilds it" }))
    )
  )
  const says = [...(yield* findDamages(current)), ...lake].map((damage) => damage.says)
  if (says.length > 0) return yield* homeDamaged(says)
  const notReplayed = yield* snapshotsWithoutRawPages
  return notReplayed === 0
    ? "Every file is intact"
    : `Every existing file is intact. The raw pages of ${formatAmount(notReplayed, "snapshot")} are missing: they are published, but can no longer be replayed`
})
