import { Effect } from "effect"
import { connect } from "node:net"

/** What came back, as bytes on the wire say it. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends these lines as a request's head, with which no client interferes, and then the body. */
export const rawRequest = (url: string, head: ReadonlyArray<string>, body = ""): Effect.Effect<RawAnswer> =>
  Effect.promise(
    () =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1")
        let text = ""
        socket.setEncoding("utf8")
        socket.on("data", (part: string) => (text += part))
        socket.once("error", reject)
        socket.once("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text }))
        socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n${body}`)
      })
  )
