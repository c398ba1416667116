import type { Operation } from "./Document.ts"

const whole = { type: "integer", minimum: 0 }

/** Headers of answers. Beyond the spec: sections 1 and 3. */
export const sharedHeaders = {
  RequestId: {
    description: "Names this request, for questions about it.",
    required: true,
    schema: { type: "string" }
  },
  RateLimit: { description: "Requests a minute that the account may make.", required: true, schema: whole },
  RateLimitRemaining: {
    description: "Requests that the account may make at once now.",
    required: true,
    schema: whole
  },
  RetryAfter: { description: "Seconds to wait.", required: true, schema: { ...whole, minimum: 1 } }
}

const ref = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` })

/** What every answer carries, and a 429 in addition. */
export const addHeaders = ({ responses }: Operation) => {
  for (const [status, response] of Object.entries(responses)) {
    response.headers = {
      "X-Request-Id": ref("RequestId"),
      "X-RateLimit-Limit": ref("RateLimit"),
      "X-RateLimit-Remaining": ref("RateLimitRemaining"),
      ...(status === "429" ? { "Retry-After": ref("RetryAfter") } : {})
    }
  }
}
