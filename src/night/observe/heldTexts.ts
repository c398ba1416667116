import { formatAmount } from "../../store/diff/formatAmount.ts"
import { cutText } from "./shortTexts.ts"

/** More held games than this do not fit on a screen with all their lines. */
const fewGames = 2

/** Max games of a kind that get a line of their own; the others are named. */
const maxLines = 8

/** A held game, and the text about it: the first line is the reason, the others are what to do. */
interface HeldText {
  readonly gameId: string
  readonly text: string
}

/** Returns a text without the ids of its game and of runs, so that it equals that of another hold of the same kind. */
const withoutIds = (text: string, gameId: string): string =>
  text.replaceAll(gameId, "…").replaceAll(/\d{8}T\d{9}Z-[\da-f]{4}/g, "…")

/**
 * Returns the texts about held games. Of more than a few, each has one line, at most `room` wide, and what to do is
 * printed once for all holds of a kind, with the commands for the first game.
 */
export const shortenHeld = (games: ReadonlyArray<HeldText>, room: number | null): ReadonlyArray<string> => {
  if (games.length <= fewGames) return games.map(({ text }) => text)
  const split = games.map(({ gameId, text }) => {
    const [reason = "", ...advice] = text.split("\n")
    return { gameId, advice, reason }
  })
  const kinds = Map.groupBy(split, ({ advice, gameId }) => withoutIds(advice.join("\n"), gameId))
  return [...kinds.values()].map((alike) => {
    const others = alike.slice(maxLines).map(({ gameId }) => gameId)
    const [first] = alike
    const advice = first?.advice ?? []
    const isShort = room === null || alike.length === 1
    return [
      ...alike.slice(0, maxLines).map(({ reason }) => (isShort ? reason : cutText(reason, room))),
      ...(others.length === 0 ? [] : [`${formatAmount(others.length, "other")} of this kind: ${others.join(", ")}`]),
      ...(advice.length > 0 && alike.length > 1 ? [`For ${first?.gameId}, and likewise for the others:`] : []),
      ...advice
    ].join("\n")
  })
}
