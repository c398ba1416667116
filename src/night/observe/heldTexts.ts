import { formatAmount } from "../../store/diff/formatAmount.ts"
import { betweenReasons } from "../../store/diff/heldAdvice.ts"

/** More held games than this do not fit on a screen with all their lines. */
const fewGames = 2

/** Max games of a kind that get a line of their own; the others are named. */
const maxLines = 8

/** A held game, and the text about it: the first line is the reason, the others are what to do. */
interface HeldText {
  readonly gameId: string
  readonly text: string
}

/** Returns a text without the ids of its game, of runs and of requests, so that it equals that of another game of the same kind. */
export const withoutIds = (text: string, gameId: string): string =>
  text
    .split(/([\w-]+)/)
    .map((word) => (word === gameId ? "…" : word))
    .join("")
    .replaceAll(/\d{8}T\d{9}Z-[\da-f]{4}|request id [^)]+/g, "…")

/** Returns the first reason of a hold, and how many more there are. */
const shortenReasons = (reasons: string): string => {
  const [first = "", ...more] = reasons.split(betweenReasons)
  return more.length === 0 ? first : `${first}; and ${formatAmount(more.length, "more reason")}`
}

/**
 * Returns the texts about held games. Of more than a few, each has its first reason, and what to do is printed once for
 * all holds of a kind, with the commands for the first game. `isScreen` is false where there is room for every reason.
 */
export const shortenHeld = (games: ReadonlyArray<HeldText>, isScreen: boolean): ReadonlyArray<string> => {
  if (games.length <= fewGames) return games.map(({ text }) => text)
  const split = games.map(({ gameId, text }) => {
    const [reasons = "", ...advice] = text.split("\n")
    // A hold without a snapshot has one reason, and no advice.
    return { gameId, advice, reasons, short: isScreen && advice.length > 0 ? shortenReasons(reasons) : reasons }
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
