import { hash, timingSafeEqual } from "node:crypto"
import { Effect, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import ipaddr from "ipaddr.js"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { Disk } from "../../feed/disk/Disk.ts"
import { classifySender } from "../../feed/guard/classifySender.ts"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { readRegular } from "../../store/home/disk.ts"
import { Forbidden, Unauthorized } from "./ServeApi.ts"

/** Where a server listens, and what a request needs. */
export interface Admission {
  /** The address to listen on. */
  readonly host: string
  readonly allowedHosts: ReadonlyArray<string>
  /** The token that every request needs; null = none. */
  readonly token: Redacted.Redacted | null
}

/** True if only programs of this machine reach a server at this address. */
const isLoopback = (host: string): boolean =>
  host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback")

/** Returns what is missing to listen at this address, with the right command; null if nothing is. */
export const admissionFault = ({
  allowedHosts,
  host,
  tokenFile,
  withCollection
}: Pick<Admission, "allowedHosts" | "host"> & { readonly tokenFile: string | null; readonly withCollection: boolean }):
  | string
  | null => {
  if (isLoopback(host)) return null
  if (tokenFile === null || allowedHosts.length === 0) {
    const names = (allowedHosts.length === 0 ? ["lake.example"] : allowedHosts).map((name) => ` --allow-host ${name}`)
    return `Other machines reach ${host}, so it needs a token and the host names to answer to: cardlake serve --host ${shellWord(host)} --token-file ${shellWord(tokenFile ?? "token.txt")}${names.join("")}`
  }
  return withCollection ? "Your own cards stay on this machine: leave out --with-collection or --host" : null
}

/** The token file is missing, readable by others, or its token too short. */
export class TokenUnusable extends Schema.TaggedError<TokenUnusable>()("TokenUnusable", {
  file: Schema.String,
  what: Schema.String,
  isSecret: Schema.Boolean
}) {
  override get message() {
    const file = shellWord(this.file)
    const next = this.isSecret ? `chmod 600 ${file}` : `(umask 077; openssl rand -hex 32 > ${file})`
    return `The token file ${this.file} ${this.what}. Run: ${next}`
  }
}

/** Matches a token of at least 128 bits: 32 hex digits, or 22 characters of base64url that are not all hex digits. */
const longToken = /^(?:[\da-f]{32,}|(?![\da-f]*$)[\w-]{22,})$/i

/** Reads a token. Fails with {@link TokenUnusable}. */
export const readToken = Effect.fnUntraced(function* (file: string) {
  const unusable = (what: string, isSecret = false) => new TokenUnusable({ file, what, isSecret })
  const disk = yield* Disk
  const text = yield* Effect.tryPromise({
    try: async () => (await readRegular(disk, file, 4096)).toString("utf8").trim(),
    catch: () => unusable("cannot be read")
  })
  if (!longToken.test(text)) {
    return yield* unusable("needs one line of at least 32 hex digits, or 22 characters of base64url")
  }
  if (((disk.look(file)?.permissions ?? 0) & 0o006) !== 0) {
    return yield* unusable("can be read by every user of this machine", true)
  }
  return Redacted.make(text)
})

const digest = (text: string): Buffer => hash("sha256", text, "buffer")

/** Answers only requests with an allowed host and the token, and none that a page of another site sends. */
export const admit = ({ allowedHosts, host, token }: Admission) => {
  const findHostFault = isLoopback(host) ? hostFault([...allowedHosts, host]) : hostFault(allowedHosts, [])
  const expected = token === null ? null : digest(Redacted.value(token))
  const findRefusal = (request: HttpServerRequest.HttpServerRequest) => {
    const fault = findHostFault(request)
    if (fault !== null) return new Forbidden({ detail: fault })
    const [, given = ""] = /^bearer +(.*)$/i.exec(request.headers["authorization"] ?? "") ?? []
    if (expected !== null && !timingSafeEqual(digest(given), expected))
      return new Unauthorized({
        detail: "Send the header Authorization: Bearer TOKEN, with the text of the --token-file"
      })
    return classifySender(request) === "other page"
      ? new Forbidden({ detail: "The request comes from a page of another site. Ask from a program" })
      : null
  }
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const refusal = findRefusal(request)
      if (refusal === null) return app
      const answer = HttpServerRespondable.toResponse(refusal)
      return refusal._tag === "Forbidden"
        ? answer
        : Effect.map(answer, HttpServerResponse.setHeader("www-authenticate", "Bearer"))
    })
}
