import { Effect } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { type Current, readCurrent } from "../../store/home/Home.ts"
import { heldSnapshots } from "../../store/home/HeldBack.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { beginRun } from "./beginRun.ts"
import { snapshotsOfGame } from "../../store/lake/publish/openLake.ts"
import { publishAs } from "./publishAs.ts"

interface ReleaseTarget {
  readonly gameId: string
  /** Null selects the newest one after the published one. */
  readonly wanted: string | null
  readonly takesBack?: boolean
}

/** Returns the requested held snapshot, and the published ones that its release would take back. */
const targetIn = Effect.fnUntraced(function* (current: Current, { gameId, takesBack = false, wanted }: ReleaseTarget) {
  const held = yield* heldSnapshots(gameId)
  const live = current.games[gameId]?.snapshot ?? ""
  const chosen =
    wanted === null
      ? held.findLast(({ manifest }) => manifest.snapshot > live)
      : held.find(({ manifest }) => manifest.snapshot === wanted)
  if (chosen === undefined) {
    yield* snapshotsOfGame(gameId, current)
    const what = wanted === null ? "no held snapshot newer than the published one" : `no held snapshot ${wanted}`
    const names = held.map((one) => one.manifest.snapshot).join(", ")
    const others = names === "" ? "" : ` It has ${names}, which you can name.`
    return yield* new Fault(
      "NothingHeld",
      `The home has ${what} of ${gameId}.${others} See them all with: cardlake snapshots`
    )
  }
  const { snapshot } = chosen.manifest
  const takenBack = publishedChain(current, gameId).filter((night) => night > snapshot)
  if (takenBack.length > 0 && !takesBack)
    return yield* new Fault(
      "WouldTakeBack",
      `${snapshot} of ${gameId} is older than the published snapshot: releasing it takes back ${takenBack.join(", ")} and their prices in the history. Nothing was changed. To do it: cardlake release ${shellWord(gameId)} ${snapshot} --take-back`
    )
  return { chosen, takenBack }
})

/** Returns what a release would publish and take back, without changes. */
export const planRelease = Effect.fn("planRelease")(function* (target: ReleaseTarget) {
  return yield* targetIn(yield* readCurrent, target)
})

/** Publishes a held snapshot. Fails with `WouldTakeBack` if later nights are published and not to be taken back. */
export const runRelease = Effect.fn("runRelease")(function* (target: ReleaseTarget & { readonly why: string | null }) {
  const begun = yield* beginRun("release")
  const { chosen, takenBack } = yield* targetIn(begun.current, target)
  const released = yield* publishAs(begun, chosen, { kind: "release", why: target.why })
  return { ...released, reasons: chosen.reasons, takenBack }
}, Effect.scoped)
