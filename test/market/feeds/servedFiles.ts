import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { ask } from "../Served.ts"

export interface File {
  readonly url: string
  readonly urlExpiresAt: string
  readonly checksum: string
  readonly sizeBytes: number
  readonly recordCount: number
  readonly format: string
  readonly encoding: string
  readonly lastRefreshedAt: string
  readonly generatedAt: string
}
export type Files = Readonly<Record<"catalog" | "expansions" | "prices", File>>
export type Line = Readonly<Record<string, unknown>>

export const filesOf = (gameId: string) =>
  Effect.map(ask(`/v1/feeds/${gameId}`), ({ json }) => json as unknown as Files)

/** Asked as object storage is: without the key, unless the test gives one. */
export const download = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(url, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, type: answer.headers.get("content-type"), bytes }
  })

export const linesOf = Effect.fnUntraced(function* ({ url }: File) {
  const { bytes } = yield* download(url)
  return gunzipSync(bytes)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line))
})

export const control = (settings: object) => ask("/sandbox/feeds", { body: settings })
export const wait = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })
export const deploy = (gameId: string) => ask("/sandbox/deploy", { body: { gameId } })
