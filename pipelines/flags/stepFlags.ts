import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { isNightId, type NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import { wrongUsage } from "../print/printAnswer.ts"
import { wholeNumberFlag } from "./sharedFlags.ts"

const nightOf = (text: string): Option.Option<NightId> => (isNightId(text) ? Option.some(text) : Option.none())
const expected = () => "Expected a night as cardlake plan names it, such as 2026-11-23-1"

/** What the steps of a night in parts take. */
export const night = Argument.String("night").pipe(
  Argument.withDescription("The night, as cardlake plan names it"),
  Argument.filterMap(nightOf, expected)
)
export const partOf = Flag.String("part-of").pipe(
  Flag.withMetavar("NIGHT"),
  Flag.withDescription("Read one game for this night of cardlake plan, and leave it to cardlake publish to publish it"),
  Flag.filterMap(nightOf, expected),
  Flag.optional
)
export const index = wholeNumberFlag("index", "N", { from: 0, to: 1_000_000 }).pipe(
  Flag.withDescription("With --part-of: the game with this number in the plan; beyond its last one, nothing is to do"),
  Flag.optional
)
export const unchangedCode = wholeNumberFlag("unchanged-code", "N", { from: 0, to: 255 }).pipe(
  Flag.withDescription("Exit code if nothing is new, for schedulers that tell it apart; default: 0"),
  Flag.withDefault(0)
)

/** The bucket that several machines read a night into; a home in a folder is one machine's. */
export const bucketOfSteps = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const { bucketOf } = yield* Effect.promise(() => import("./inHome.ts"))
  const address = yield* bucketOf(settings)
  return (
    address ??
    (yield* wrongUsage(
      "A night in parts is for several machines, and their home is in a bucket: --home s3://bucket/prefix. In a folder, one command reads every game and publishes: cardlake nightly"
    ))
  )
})
