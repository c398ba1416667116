import { Effect, Layer, Option } from "effect"
import { openStore } from "../../src/store/home/bucket/BucketStore.ts"
import type { NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import type { NightReport } from "../../src/night/observe/NightOutcome.ts"
import { exitCodeOfNight, type Verdict } from "../../src/night/observe/RunReport.ts"
import {
  gameOfPlan,
  noPart,
  partDone,
  type PartReport,
  PartUnknown
} from "../../src/night/cluster/steps/partOfNight.ts"
import { bucketOfSteps } from "../flags/nightFlags.ts"
import { bucketServices } from "../settings/services.ts"
import { verdictText } from "./verdictText.ts"

interface AskedPart {
  readonly night: NightId
  readonly games: ReadonlyArray<string>
  readonly index: Option.Option<number>
  readonly exportTo: Option.Option<string>
}

/** Which game of a night is asked for; null: the plan has no such number. */
const gameOf = Effect.fnUntraced(function* (
  store: Effect.Success<ReturnType<typeof openStore>>,
  { exportTo, games, index, night }: AskedPart
) {
  if (Option.isSome(exportTo))
    return yield* new PartUnknown({
      what: "A part of a night publishes nothing, so nothing can be exported after it. Export after cardlake publish: cardlake export"
    })
  const [named, ...more] = games
  if (more.length > 0 || (named === undefined) === Option.isNone(index))
    return yield* new PartUnknown({ what: "A part of a night is one game: name it, or give its number with --index" })
  return (
    named ??
    (yield* gameOfPlan(
      store,
      night,
      Option.getOrElse(index, () => 0)
    ))
  )
})

/**
 * One game of a night, made ready for whoever publishes it. What a runner has finished already is not read again, and
 * one that finds another's work in its place says what that one found.
 */
export const nightInPart = Effect.fnUntraced(function* <E, R>(
  settings: Record<string, string>,
  asked: AskedPart,
  read: (gameId: string) => Effect.Effect<NightReport, E, R>
) {
  const { night } = asked
  const address = yield* bucketOfSteps(settings)
  const store = yield* Effect.provideContext(openStore(address), yield* Layer.build(bucketServices(settings)))
  const gameId = yield* gameOf(store, asked)
  if (gameId === null) return noPart(night, "nothing", `The plan of ${night} has no game with this number`)
  const done = partDone(store, night, gameId)
  const before = yield* done
  if (before !== null) return before
  const tried = yield* Effect.result(read(gameId))
  if (tried._tag === "Success") return { ...tried.success, night, done: "now", isPublished: false } satisfies PartReport
  const others = isTaken(tried.failure) ? yield* done : null
  return others ?? (yield* Effect.fail(tried.failure))
}, Effect.scoped)

/** Another runner changed the game meanwhile. */
export const isTaken = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "PartTaken"

/** Told apart: done or unchanged, held, failed. */
export const exitCodeOfPart = (report: PartReport, unchangedCode: number): number =>
  report.verdict === "unchanged" ? unchangedCode : report.run === null ? 0 : exitCodeOfNight(report)

/** What a game of a part is before the night is published. */
export const wordOfPart = (verdict: Verdict): string => (verdict === "published" ? "ready" : verdict)

/** What a part did, for people. */
export const partText = (report: PartReport): string => {
  if (report.run === null) return report.reason
  const { done, isPublished, night, verdict } = report
  const told = verdictText(report, isPublished ? undefined : wordOfPart)
  if (verdict === "failed") return told
  const said =
    done === "before"
      ? "Nothing was read: a runner has done this already"
      : `${report.games[0]?.gameId ?? "It"} is done`
  if (isPublished) return `${told}\n${said}, and the night was published`
  const next = verdict === "held" ? "The others are published without it by" : "It is published with the others by"
  return `${told}\n${said}. ${next}: cardlake publish ${night}`
}
