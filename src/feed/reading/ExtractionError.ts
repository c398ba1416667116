import { Schema } from "effect"
import { shellWord } from "../contract/shellWord.ts"
import { requiredDialectAdvice, dialectAdvice, type WordsFault } from "./readingWords.ts"
import { Fault } from "../contract/Fault.ts"

/** The feed changed in every attempt, so no reading belongs to one deployment. Never published. Design: decision 2. */
export const torn = (gameId: string, rounds: number, changelogHeads: ReadonlyArray<string | null>) => {
  const heads = [...new Set(changelogHeads)].map((head) => head ?? "none")
  const what = heads.length > 1 ? `heads ${heads.join(", ")}` : `its prices, without an entry after ${heads.join("")}`
  return new Fault(
    "Torn",
    `The feed of ${gameId} changed in each of ${rounds} rounds (${what}), so nothing was stored. Run it again once the feed stops changing: cardlake nightly`
  )
}

/** The pages of a list do not add up in any attempt, because of `faults`. Never published. Design: decision 2. */
export const censusMismatch = (gameId: string, rounds: number, faults: ReadonlyArray<string>) =>
  new Fault(
    "CensusMismatch",
    `The pages of ${gameId} are inconsistent after ${rounds} rounds: ${faults.join("; ")}. Run it again later: cardlake nightly; if it persists, report it to the marketplace`
  )

/** In every attempt, a page had another dialect than those before it, or than the required one. Never published. */
export const wordsMismatch = (gameId: string, rounds: number, { isOfFile, says, shown }: WordsFault) => {
  const game = shellWord(gameId)
  const next = isOfFile
    ? `The mapping file does not match: ${dialectAdvice(true)}; or leave it out. Then run it again: cardlake nightly ${game} --dialect FILE`
    : shown === null
      ? `Run it again later: cardlake nightly; if it persists, ${dialectAdvice(false)}`
      : `To read it, ${requiredDialectAdvice(shown)}; then run it again: cardlake nightly ${game}`
  return new Fault(
    "WordsMismatch",
    `The pages of ${gameId} could not be read together in ${rounds} rounds: ${says}. ${next}`
  )
}

/** The home cannot be read or written: no permission, no space, missing. */
export const rawFilesFailed = (folder: string, cause: string) =>
  new Fault(
    "RawFilesFailed",
    `The raw pages in ${folder} cannot be read or written (${cause}). Check the home's permissions and free space, or choose another home with CARDLAKE_HOME`
  )

/** A folder without a complete extraction, or with one of another version. */
export class ExtractionUnreadable extends Schema.TaggedError<ExtractionUnreadable>()("ExtractionUnreadable", {
  folder: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `There is no complete extraction in ${this.folder} (${this.cause}). Read the game again with: cardlake nightly`
  }
}
