import { Effect, Schema } from "effect"
import { heldSnapshots } from "../src/lake/heldSnapshots.ts"
import { beginRun } from "./beginRun.ts"
import { publishAs } from "./publishAs.ts"

/** There is no such held snapshot. */
export class NothingHeld extends Schema.TaggedError<NothingHeld>()("NothingHeld", {
  gameId: Schema.String,
  wanted: Schema.NullOr(Schema.String),
  /** Held ones that must be named to be released. */
  held: Schema.Array(Schema.String)
}) {
  override get message() {
    const what = this.wanted === null ? "no held snapshot newer than the published one" : `no held ${this.wanted}`
    const others = this.held.length === 0 ? "" : ` It holds ${this.held.join(", ")}, which can be named.`
    return `The home has ${what} of ${this.gameId}.${others} See them all with: cardlake snapshots`
  }
}

/** Publishes a held snapshot knowingly: the one named, else the newest that is newer than the published one. */
export const runRelease = Effect.fn("runRelease")(function* (
  gameId: string,
  wanted: string | null,
  why: string | null
) {
  const begun = yield* beginRun("release")
  const held = yield* heldSnapshots(gameId)
  const live = begun.current.games[gameId]?.snapshot ?? ""
  const chosen =
    wanted === null
      ? held.findLast(({ manifest }) => manifest.snapshot > live)
      : held.find(({ manifest }) => manifest.snapshot === wanted)
  if (chosen === undefined)
    return yield* new NothingHeld({ gameId, wanted, held: held.map((one) => one.manifest.snapshot) })
  const released = yield* publishAs(begun, "release", chosen, why)
  return { ...released, reasons: chosen.reasons }
}, Effect.scoped)
