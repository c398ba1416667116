import { Effect, Schema } from "effect"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { SnapshotId } from "../../feed/contract/Ids.ts"
import { type Current, readCurrent } from "../../store/home/Home.ts"
import { heldSnapshots } from "../../store/home/HeldBack.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { beginRun } from "./beginRun.ts"
import { snapshotsOfGame } from "../../store/lake/GameNotInLake.ts"
import { publishAs } from "./publishAs.ts"

/** The held snapshot does not exist. */
export class NothingHeld extends Schema.TaggedError<NothingHeld>()("NothingHeld", {
  gameId: Schema.String,
  wanted: Schema.NullOr(Schema.String),
  /** Held snapshots that must be named for a release. */
  held: Schema.Array(Schema.String)
}) {
  override get message() {
    const what =
      this.wanted === null ? "no held snapshot newer than the published one" : `no held snapshot ${this.wanted}`
    const others = this.held.length === 0 ? "" : ` It has ${this.held.join(", ")}, which you can name.`
    return `The home has ${what} of ${this.gameId}.${others} See them all with: cardlake snapshots`
  }
}

/** Nights were published after the snapshot. A release would remove them from the history. */
export class WouldTakeBack extends Schema.TaggedError<WouldTakeBack>()("WouldTakeBack", {
  gameId: Schema.String,
  snapshot: SnapshotId,
  later: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.snapshot} of ${this.gameId} is older than the published snapshot: releasing it takes back ${this.later.join(", ")} and their prices in the history. Nothing was changed. To do it: cardlake release ${shellWord(this.gameId)} ${this.snapshot} --take-back`
  }
}

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
    return yield* new NothingHeld({ gameId, wanted, held: held.map((one) => one.manifest.snapshot) })
  }
  const { snapshot } = chosen.manifest
  const takenBack = publishedChain(current, gameId).filter((night) => night > snapshot)
  if (takenBack.length > 0 && !takesBack) return yield* new WouldTakeBack({ gameId, snapshot, later: takenBack })
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
