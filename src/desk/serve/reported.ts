import { Effect } from "effect"
import { HttpServerError } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { LakeError } from "../../feed/reading/LakeError.ts"
import { Home } from "../../store/home/Home.ts"
import { UnsupportedContract } from "../../store/home/jsonFile.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { NoLake } from "../../store/lake/publish/openLake.ts"
import { withoutPaths } from "../explorer/withoutPaths.ts"

const storeErrors = [LakeError, NoLake, FileDamaged, UnsupportedContract] as const
/** What the home and its lake can fail with. */
export type StoreError = InstanceType<(typeof storeErrors)[number]>

const isOfServer = (error: unknown): error is StoreError | HttpServerError.HttpServerError =>
  storeErrors.some((one) => error instanceof one) || HttpServerError.isHttpServerError(error)

/** Reports a failure of the lake as a problem without paths of this machine, and logs it with them. */
export const problems = <A, E, R>(answer: Effect.Effect<A, E | StoreError | HttpServerError.HttpServerError, R>) =>
  Effect.catchIf(answer, isOfServer, ({ message }) =>
    Effect.gen(function* () {
      yield* Effect.logError(shownText(message))
      return yield* new HttpApiError.InternalServerErrorProblem({ detail: withoutPaths(message, (yield* Home).root) })
    })
  )
