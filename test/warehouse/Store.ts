import S3rver from "@20minutes/s3rver"
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { temporaryFolder } from "./FourNights.ts"

export const bucket = "drops"

/** What stands between a client and the store: true = it has answered the request itself. */
export type Before = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>

const variables = {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "S3RVER",
  AWS_SECRET_ACCESS_KEY: "S3RVER",
  CARDLAKE_S3_PATH_STYLE: "true"
}

/** Sets variables until the scope closes: the AWS SDK reads its settings from the environment. */
export const withVariables = (set: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = Object.keys(set).map((name) => [name, process.env[name]] as const)
      Object.assign(process.env, set)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      })
  )

/** An S3 store on a free port, with one bucket in a folder of its own; it stops with the scope. */
export const startStore = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const storeThat = (allowMismatchedSignatures: boolean) =>
    new S3rver({ directory, silent: true, allowMismatchedSignatures, configureBuckets: [{ name: bucket }] })
  const strict = storeThat(false)
  yield* Effect.promise(() => strict.configureBuckets())
  const [answer, list] = [strict.callback(), storeThat(true).callback()]
  // It takes a listing's right signature for a wrong one.
  const answerOf = ({ url = "" }: IncomingMessage) => (url.includes("list-type=") ? list : answer)
  const state = { before: (() => false) as Before, requests: [] as Array<string> }
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const listening = createServer((request, response) => {
            state.requests.push(`${request.method} ${request.url}`)
            void Promise.resolve(state.before(request, response)).then((done) =>
              done ? undefined : answerOf(request)(request, response)
            )
          })
          listening.listen(0, "127.0.0.1", () => resolve(listening))
        })
    ),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.closeAllConnections()
            server.close(() => resolve())
          })
      )
  )
  const { port } = server.address() as AddressInfo
  yield* withVariables({ ...variables, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` })
  return { directory, server, state }
})
