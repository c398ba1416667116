import { Schema } from "effect"
import { DialectName } from "../contract/dialect/DialectName.ts"
import { shellWord } from "../contract/shellWord.ts"
import { requiredDialectAdvice, dialectAdvice, type WordsFault } from "./readingWords.ts"

/** The feed changed in every attempt, so no reading belongs to one deployment. Never published. Design: decision 2. */
export class Torn extends Schema.TaggedError<Torn>()("Torn", {
  gameId: Schema.String,
  rounds: Schema.Int,
  /** The changelog heads of the attempts, oldest first. */
  heads: Schema.Array(Schema.NullOr(Schema.String))
}) {
  override get message() {
    const heads = [...new Set(this.heads)].map((head) => head ?? "none")
    const what = heads.length > 1 ? `heads ${heads.join(", ")}` : `its prices, without an entry after ${heads.join("")}`
    return `The feed of ${this.gameId} changed in each of ${this.rounds} rounds (${what}), so nothing was stored. Run it again once the feed stops changing: cardlake nightly`
  }
}

/** The pages of a list do not add up in any attempt; `faults` has the reasons. Never published. Design: decision 2. */
export class CensusMismatch extends Schema.TaggedError<CensusMismatch>()("CensusMismatch", {
  gameId: Schema.String,
  rounds: Schema.Int,
  faults: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The pages of ${this.gameId} are inconsistent after ${this.rounds} rounds: ${this.faults.join("; ")}. Run it again later: cardlake nightly; if it persists, report it to the marketplace`
  }
}

/** In every attempt, a page had another dialect than those before it, or than the required one. Never published. */
export class WordsMismatch extends Schema.TaggedError<WordsMismatch>()("WordsMismatch", {
  gameId: Schema.String,
  rounds: Schema.Int,
  /** The fault of the last attempt. */
  fault: Schema.String,
  /** The dialect of the page, if another one was required. */
  shown: Schema.NullOr(DialectName),
  isOfFile: Schema.Boolean
}) {
  override get message() {
    const next = this.isOfFile
      ? `The mapping file does not match: ${dialectAdvice(true)}; or leave it out. Then run it again: cardlake nightly ${shellWord(this.gameId)} --dialect FILE`
      : this.shown === null
        ? `Run it again later: cardlake nightly; if it persists, ${dialectAdvice(false)}`
        : `To read it, ${requiredDialectAdvice(this.shown)}; then run it again: cardlake nightly ${shellWord(this.gameId)}`
    return `The pages of ${this.gameId} could not be read together in ${this.rounds} rounds: ${this.fault}. ${next}`
  }
}

/** Returns the error for a dialect fault after the last attempt. */
export const wordsMismatch = (gameId: string, rounds: number, { isOfFile, says, shown }: WordsFault) =>
  new WordsMismatch({ gameId, rounds, fault: says, shown, isOfFile })

/** The home cannot be read or written: no permission, no space, missing. */
export class RawFilesFailed extends Schema.TaggedError<RawFilesFailed>()("RawFilesFailed", {
  folder: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The raw pages in ${this.folder} cannot be read or written (${this.cause}). Check the home's permissions and free space, or choose another home with CARDLAKE_HOME`
  }
}

/** A folder without a complete extraction, or with one of another version. */
export class ExtractionUnreadable extends Schema.TaggedError<ExtractionUnreadable>()("ExtractionUnreadable", {
  folder: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `There is no complete extraction in ${this.folder} (${this.cause}). Read the game again with: cardlake nightly`
  }
}
