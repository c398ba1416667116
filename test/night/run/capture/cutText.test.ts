import { assert, it } from "@effect/vitest"
import { cutText } from "../../../../src/night/run/capture/cutText.ts"
import { tried } from "../../../tried.ts"

it("cuts what opens a link, addresses of people and what is of an account, and no letter else", () => {
  const came = String.raw`{"data":[{"id":1,"low":14.990,"imageUrl":"https:\/\/img.example\/1.png?sig=abc&e=1","text":"write to ann@shop.example"}],
 "url" : "https://u:p@files.example/a.gz#part", "plain":"https://img.example/2.png","balance":{"available":{"amount":3}},"accountId":77 , "note":"a \"quoted\" word"}`
  const left = String.raw`{"data":[{"id":1,"low":14.990,"imageUrl":"https://img.example/1.png?<cut>","text":"write to <cut>"}],
 "url" : "https://<cut>@files.example/a.gz#<cut>", "plain":"https://img.example/2.png","balance":"<cut>","accountId":"<cut>" , "note":"a \"quoted\" word"}`
  assert.deepStrictEqual(cutText(came, true), { text: left, cuts: { links: 2, addresses: 1, account: 2 } })
})

it("cuts the same of a text that is not JSON", () => {
  const { text } = cutText(`<a href="https://x.example/login?token=1">ann@shop.example</a>`, false)
  assert.strictEqual(text, `<a href="https://x.example/login?<cut>"><cut></a>`)
})

it("cuts a secret of a query where no server is named, and no other part of the request", () => {
  const { text } = cutText("GET /v1/x?limit=2&access_token=k1&offset=0&X-Amz-Signature=k2", false)
  assert.strictEqual(text, "GET /v1/x?limit=2&access_token=<cut>&offset=0&X-Amz-Signature=<cut>")
  const long = "a".repeat(200)
  assert.strictEqual(cutText(`?${long}_token_${long}=k3&b=1`, false).text, `?${long}_token_${long}=<cut>&b=1`)
})

it("cuts what opens something or names a bank, by its kind: keys, paths and web tokens", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"
  const said = {
    apiKey: "k1",
    "X-API-KEY": "k2",
    accessToken: "k3",
    IBAN: "DE02120300000000202051",
    tokenType: "card",
    isToken: true,
    note: `see ${jwt}`,
    image: "https://x.example/s--k4--/token/k5/a.png"
  }
  const left = JSON.parse(cutText(JSON.stringify(said), true).text) as Record<string, unknown>
  assert.notMatch(JSON.stringify(left), /k[1-5]|DE02|eyJ/)
  assert.deepInclude(left, { tokenType: "card", isToken: true })
})

const repeated = ["x", "eyJ-", "eyJ-a.", "?key", "&", "a@", "a.", "a@b.", "/s--", "://", '\\"', "\\\\", "token", "ö"]

it.each(tried(repeated, (_, index) => index % 4 === 0))(
  "reads two million letters once, whatever they repeat: %j",
  (part) => {
    const long = part.repeat(2_000_000 / part.length)
    for (const isJson of [true, false]) {
      const { text } = cutText(JSON.stringify({ [`k${long}`]: long, note: "ann@shop.example" }), isJson)
      assert.include(text.slice(-40), "<cut>")
    }
  }
)

it.each([
  String.raw`{"id":1,"a":"\q ann@shop.example"}`,
  '{"id":1,"a":"ann@shop.example',
  '{"id":1,"a":"b@shop.example"} "'
])("cuts what is not JSON, too, and drops no letter before it: %s", (line) => {
  const { text } = cutText(line, true)
  assert.isTrue(text.startsWith('{"id":1,"a":"'), text)
  assert.notInclude(text, "@shop")
})
