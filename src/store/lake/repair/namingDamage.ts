import { Effect, Schema } from "effect"
import { readCurrent } from "../../home/Home.ts"
import type { LakeError } from "../../../feed/reading/LakeError.ts"
import { StandIns } from "../../../feed/reading/StandIns.ts"
import { damagesOf } from "./damages.ts"

/** Files of the home that are not what was written. */
export class HomeDamaged extends Schema.TaggedError<HomeDamaged>()("HomeDamaged", {
  /** What is damaged, each with the next step. */
  says: Schema.Array(Schema.String)
}) {
  override get message() {
    return this.says.join("; ")
  }
}

/** A fault, but not of a file's bytes. */
const isAnother = /No space left|ENOSPC|Permission denied|EACCES|EROFS|Out of Memory|INTERRUPT/i

/**
 * DuckDB does not always say which file it could not read. If it fails, the home is searched for damage, so that
 * the error names it before what DuckDB said; if none is found, the error stays as it is. Not where files are elsewhere: what is fetched is whole.
 */
export const namingDamage = <A, E, R>(effect: Effect.Effect<A, E | LakeError, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | LakeError, LakeError> =>
      error instanceof Error && "_tag" in error && error._tag === "LakeError" && !isAnother.test(error.message),
    (error) =>
      Effect.gen(function* () {
        if ((yield* StandIns) !== null) return yield* Effect.fail(error)
        const current = yield* Effect.orElseSucceed(readCurrent, () => ({ games: {}, history: [] }))
        const [damage] = yield* damagesOf(current)
        return yield* Effect.fail(
          damage === undefined ? error : new HomeDamaged({ says: [damage.says, error.message] })
        )
      })
  )
