import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"

/** A service that says the same as the sandbox behind it, otherwise: what it does so is known to nobody else. */
export interface Alterations {
  /** Keys of answers, and what they are called. */
  readonly renamed: Readonly<Record<string, string>>
  /** A figure of price blocks, and where it is in them. */
  readonly moved: { readonly figure: string; readonly to: readonly [string, string] }
  /** Larger pages are refused. */
  largestPage: number
}

const refusal = (largest: number): string =>
  JSON.stringify({ code: "BAD_REQUEST", status: 400, message: `limit: at most ${largest}`, data: { field: "limit" } })

/** The digits of figures stay as they are: the text is changed, not what it is parsed to. */
const inItsWords = (text: string, { moved, renamed }: Alterations): string => {
  const { figure, to } = moved
  const words = Object.keys(renamed).join("|")
  return text
    .replaceAll(new RegExp(`"(${words})":`, "g"), (_, word: string) => `"${renamed[word]}":`)
    .replaceAll(new RegExp(`"${figure}":(null|[-\\d.eE+]+)`, "g"), `"${to[0]}":{"${to[1]}":$1}`)
}

/** Serves a marketplace as somebody else would have built it, without feed files. */
export const startAltered = async (marketplace: string, altered: Alterations) => {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = Buffer.concat(chunks).toString("utf8")
    const path = request.url ?? ""
    const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 0)
    const isFeed = /^\/v1\/feeds\/[^/]+$/.test(path)
    if (limit > altered.largestPage && !path.includes("/changelog")) {
      response.writeHead(400, { "content-type": "application/json" }).end(refusal(altered.largestPage))
      return
    }
    const answered = await fetch(marketplace + path, {
      method: isFeed ? "DELETE" : (request.method ?? "GET"),
      headers: {
        authorization: request.headers.authorization ?? "",
        "content-type": request.headers["content-type"] ?? ""
      },
      ...(asked === "" ? {} : { body: asked })
    })
    response.writeHead(answered.status, { "content-type": "application/json" })
    response.end(inItsWords(await answered.text(), altered))
  }
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
