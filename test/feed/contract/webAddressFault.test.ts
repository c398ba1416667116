import { assert, it } from "@effect/vitest"
import { webAddressFault } from "../../../src/feed/contract/SettingInvalid.ts"

it.each([
  ["https://hush@x.test/a", "a user or a password"],
  ["https://:hush@x.test/a", "a user or a password"],
  ["https://u%ser:hush@x.test", "a user or a password"],
  ["https://x.test/hush%", "has an invalid % escape. Write % as %25"],
  ["https://x.test/?hush=%zz", "has an invalid % escape"],
  ["https://%78.test/hush", "is not an address that begins with http:// or https://"],
  ["https://x.test/hush\u202E", "has a space or an invisible character"],
  ["https://x\u00AD.test/hush", "has a space or an invisible character"],
  ["https://x.test/hush\nb", "has a space or an invisible character"],
  ["ftp://x.test/hush", "is not an address that begins with http:// or https://"],
  ["https:\\\\x.test\\hush", "is not an address"],
  ["https:x.test/hush", "is not an address"],
  ["hush", "is not an address"]
])("%j is refused", (text, says) => {
  const fault = webAddressFault(text) ?? ""
  assert.include(fault, says)
  assert.notInclude(fault, "hush")
})

it.each(["http://127.0.0.1:9", "https://x.test/a%20b?c=%C3%A9#d", "HTTPS://[::1]:1/", "https://käse.test"])(
  "%s is taken",
  (text) => assert.isNull(webAddressFault(text))
)
