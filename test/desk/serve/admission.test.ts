import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { admissionFault, readToken } from "../../../src/desk/serve/admission.ts"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { servedNights } from "../../pipelines/servedNights.ts"
import { live, newFolder } from "../../support/suite.ts"

const plain = { allowedHosts: [], tokenFile: null, withCollection: false }
const complete = { allowedHosts: ["lake.example"], tokenFile: "token.txt", withCollection: false }

live("an address of this machine needs nothing", function* () {
  for (const host of ["127.0.0.1", "127.0.0.9", "localhost", "::1", "::ffff:127.0.0.1"]) {
    assert.isNull(admissionFault({ ...plain, host }), host)
    assert.isNull(admissionFault({ ...plain, host, withCollection: true }), host)
  }
  yield* Effect.void
})

live("any other address needs a token and host names, and gives no own cards away", function* () {
  const right = (host: string) => `cardlake serve --host ${host} --token-file token.txt --allow-host lake.example`
  for (const host of [
    "0.0.0.0",
    "::",
    "192.168.1.2",
    "10.0.0.1",
    "lake.example",
    "127.0.0.1.example",
    "::ffff:10.0.0.1"
  ]) {
    const { allowedHosts, tokenFile } = complete
    for (const given of [plain, { ...plain, allowedHosts }, { ...plain, tokenFile }]) {
      assert.include(admissionFault({ ...given, host }), right(host))
    }
    assert.isNull(admissionFault({ ...complete, host }), host)
    assert.include(admissionFault({ ...complete, host, withCollection: true }), "leave out --with-collection")
  }
  yield* Effect.void
})

live("a server for other machines without a token is a wrong command line", function* () {
  const { env } = yield* Effect.promise(servedNights)
  const ended = yield* Effect.promise(() => cardlake(["serve", "--host", "0.0.0.0"], { env }))
  assertFault(ended, 2, /cardlake serve --host 0\.0\.0\.0 --token-file token\.txt --allow-host lake\.example/)
})

const hex = "0123456789abcdef0123456789abcdef"
const base64url = "Zm9vYmFyLWJhei1xdXV4_A"

live("a token has at least 128 bits, and only its owner can read it", function* () {
  const file = join(yield* newFolder, "token")
  const read = (text: string, mode = 0o600) =>
    Effect.suspend(() => {
      writeFileSync(file, text)
      chmodSync(file, mode)
      return readToken(file)
    })
  const fault = (text: string, mode?: number) => Effect.map(Effect.flip(read(text, mode)), ({ message }) => message)
  for (const token of [hex, base64url, `${hex}${hex}`])
    assert.strictEqual(Redacted.value(yield* read(`${token}\n`)), token)
  assert.strictEqual(Redacted.value(yield* read(hex, 0o640)), hex)
  const make = `(umask 077; openssl rand -hex 32 > ${file})`
  for (const token of [
    "",
    "secret",
    hex.slice(1),
    hex.slice(0, 22),
    base64url.slice(1),
    `${base64url} ${hex}`,
    "x".repeat(5000)
  ]) {
    const says = yield* fault(token)
    assert.include(says, make)
    if (token !== "") assert.notInclude(says, token)
  }
  for (const mode of [0o644, 0o604, 0o602]) assert.include(yield* fault(hex, mode), `chmod 600 ${file}`)
  mkdirSync(`${file}.d`)
  for (const none of [`${file}.none`, `${file}.d`])
    assert.include((yield* Effect.flip(readToken(none))).message, "cannot be read")
})
