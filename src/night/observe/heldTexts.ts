import { formatAmount } from "../../store/diff/formatAmount.ts"
import { joinReasons } from "../../store/diff/heldAdvice.ts"
import { runMillis } from "../../store/home/newRunId.ts"

/** More held games than this do not fit on a screen with all their lines. */
const fewGames = 2

/** Max games of a kind that get a line of their own; the others are named. */
const maxLines = 8

/** A held game, and the text about it: the first line is the reason, the others are what to do. */
interface HeldText {
  readonly gameId: string
  readonly text: string
  /** The reasons one by one; absent if the text has a single one. */
  readonly reasons?: ReadonlyArray<string>
}

/** Returns a text without the ids of its game and of runs, so that it equals that of another game of the same kind. */
export const withoutIds = (text: string, gameId: string): string =>
  text
    .split(/([\w-]+)/)
    .map((word) => (word === gameId || runMillis(word) !== null ? "…" : word))
    .join("")

/** Replaces all reasons of a hold but the first with their number. */
const shortenReasons = (line: string, reasons: ReadonlyArray<string> = []): string => {
  const more = formatAmount(reasons.length - 1, "more reason")
  return reasons.length < 2
    ? line
    : line.replace(joinReasons(reasons), () => `${joinReasons(reasons.slice(0, 1))}; and ${more}`)
}

/**
 * Returns the texts about held games. Of more than a few, each has its first reason, and what to do is printed once for
 * all holds of a kind, with the commands for the first game. `isScreen` is false where there is room for every reason.
 */
export const shortenHeld = (games: ReadonlyArray<HeldText>, isScreen: boolean): ReadonlyArray<string> => {
  if (games.length <= fewGames) return games.map(({ text }) => text)
  const split = games.map(({ gameId, reasons: all, text }) => {
    const [reasons = "", ...advice] = text.split("\n")
    return { gameId, advice, reasons, short: isScreen ? shortenReasons(reasons, all) : reasons }
  })
  const kinds = Map.groupBy(split, ({ advice, gameId }) => withoutIds(advice.join("\n"), gameId))
  const isWhole = split.every(({ reasons, short }) => short === reasons)
  const texts = [...kinds.values()].map((alike) => {
    const [shown, others] = [alike.slice(0, maxLines), alike.slice(maxLines).map(({ gameId }) => gameId)]
    const [first] = alike
    const advice = first?.advice ?? []
    return [
      ...shown.map(({ short }) => short),
      ...(others.length === 0 ? [] : [`${formatAmount(others.length, "other")} of this kind: ${others.join(", ")}`]),
      ...(advice.length > 0 && alike.length > 1 ? [`For ${first?.gameId}, and likewise for the others:`] : []),
      ...advice
    ].join("\n")
  })
  return isWhole ? texts : [...texts, "Read all reasons: cardlake doctor"]
}
