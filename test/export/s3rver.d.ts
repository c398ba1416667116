declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly silent: boolean
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    configureBuckets(): Promise<void>
    callback(): (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void
  }
}
