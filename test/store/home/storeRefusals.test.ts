import { afterAll, assert, it } from "@effect/vitest"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { startConditionalStore } from "./conditionalStore.ts"

const store = await startConditionalStore()
afterAll(store.stop)

const refusals: ReadonlyArray<readonly [status: number, code: string, next: RegExp]> = [
  [404, "XAdminUserNotFound", /Check AWS_ACCESS_KEY_ID .*AWS_ENDPOINT_URL_S3/],
  [403, "InvalidAccessKeyId", /Check AWS_ACCESS_KEY_ID .*AWS_ENDPOINT_URL_S3/],
  [403, "SignatureDoesNotMatch", /Check AWS_SECRET_ACCESS_KEY/],
  [400, "InvalidBucketName", /Correct the name of the bucket, which follows s3:\/\//],
  [404, "NoSuchBucket", /Create the bucket, or check its name/],
  [403, "AccessDenied", /Allow s3:GetObject/],
  [400, "ExpiredToken", /Renew AWS_SESSION_TOKEN/],
  [400, "InvalidToken", /Renew AWS_SESSION_TOKEN/],
  [403, "AccountProblem", /Check the keys or the profile/],
  [301, "PermanentRedirect", /Set AWS_REGION/],
  [400, "AuthorizationHeaderMalformed", /Set AWS_REGION/],
  [403, "RequestTimeTooSkewed", /The clock of this machine/],
  [400, "KMS.NotFoundException", /CARDLAKE_S3_ENCRYPTION/],
  [400, "InvalidArgument", /The store does not take such a request\. Check AWS_ENDPOINT_URL_S3, AWS_REGION/],
  [405, "MethodNotAllowed", /The store does not take such a request\. Check AWS_ENDPOINT_URL_S3, AWS_REGION/],
  [403, "SomethingNew", /Check the keys and what they may do there/],
  [403, "QuotaExceeded", /Make room in the store/]
]
const few = new Set(["XAdminUserNotFound", "InvalidBucketName", "InvalidArgument"])
for (const [status, code, next] of tried(refusals, ([, code]) => few.has(code)))
  it(`the answer ${status} ${code} of a store names what to set, and is not to be tried again, at once or later`, async () => {
    let asked = 0
    store.state.before = (_, response) => {
      asked++
      response
        .writeHead(status, { "content-type": "application/xml" })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>quoted</Message></Error>`)
      return true
    }
    const ended = await cardlake(["runs", "--home", "s3://lakes/tiny"], { env: store.env, hasShortWaits: true })
    assertFault(ended, 1, next)
    assert.include(ended.stderr, `failed: the store answered ${status} (${code}).`)
    assert.notMatch(ended.stderr, / later|quoted/)
    assert.strictEqual(asked, 1)
  })

for (const [status, code] of tried([[503, "SlowDown"] as const], () => false))
  it(`the answer ${status} ${code} of a store is to be asked again later`, async () => {
    store.state.before = (_, response) => {
      response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`)
      return true
    }
    const ended = await cardlake(["runs", "--home", "s3://lakes/tiny"], { env: store.env, hasShortWaits: true })
    assertFault(ended, 1, /the store answered 503 \(SlowDown\)\. Run this again later/)
  })

const unset = /failed: no region is set\. Set AWS_REGION, such as eu-central-1/
for (const [region, says] of [
  [undefined, unset],
  ["", unset],
  ["eu central", /failed: what is set as the region is not the name of one\. Set AWS_REGION/]
] as const)
  it(`says what is wrong with the region ${region === undefined ? "that is not set" : `"${region}"`}`, async () => {
    const { AWS_REGION: _, ...env } = store.env
    store.state.before = () => false
    const noFile = { AWS_CONFIG_FILE: "/nowhere", AWS_SHARED_CREDENTIALS_FILE: "/nowhere" }
    const ended = await cardlake(["runs", "--home", "s3://lakes/tiny"], {
      env: { ...env, ...noFile, ...(region === undefined ? {} : { AWS_REGION: region }) },
      hasShortWaits: true
    })
    assertFault(ended, 1, says)
  })
