declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http"

  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly silent: boolean
      readonly allowMismatchedSignatures: boolean
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    configureBuckets(): Promise<void>
    callback(): RequestListener
  }
}
