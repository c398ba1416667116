import { cutText, widthOf, screenWidth } from "../../src/night/observe/shortTexts.ts"

/** No line of progress is longer, so that it is one line on every terminal. */
const widest = 80

/** Columns that a line of progress may have; in the last one some terminals begin a new line. */
export const barRoom = (stream: NodeJS.WriteStream): number => Math.min(screenWidth(stream) ?? widest, widest) - 1

/** A bar of so many columns. */
export const barOf = (share: number, columns: number): string => {
  const done = Math.floor(Math.min(1, Math.max(0, share)) * columns)
  return "█".repeat(done) + "░".repeat(columns - done)
}

/** Texts on one line, as many as fit from the left; the last one that does not fit is shortened. */
export const barLine = (texts: ReadonlyArray<string>, room: number): string => {
  const line = texts.filter((text) => text !== "").join(" ")
  return widthOf(line) <= room ? line : cutText(line, room)
}

/** A share that never goes back. */
export const growing = () => {
  let most = 0
  return (share: number): number => {
    most = Math.max(most, Math.min(1, share))
    return most
  }
}
