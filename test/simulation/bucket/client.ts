import { Readable } from "node:stream"
import { sendAsSdk, storeHere, type StoreRequest } from "./Store.ts"

// What the program uses of the AWS SDK, over the store of the world that runs now.

type Input = Omit<StoreRequest, "kind">
interface Command {
  readonly request: StoreRequest
}

const command = (kind: StoreRequest["kind"]) =>
  class {
    readonly request: StoreRequest
    constructor(input: Input) {
      this.request = { ...input, kind }
    }
  }

export const GetObjectCommand = command("get")
export const PutObjectCommand = command("put")
export const HeadObjectCommand = command("head")
export const DeleteObjectCommand = command("delete")
export const ListObjectsV2Command = command("list")

/** The program's middlewares see an answer before the SDK makes an error of it. */
interface Answered {
  readonly response: unknown
  readonly output: unknown
  readonly error: Error | null
}
type Next = (sent: unknown) => Promise<Answered>
type Middleware = (next: Next) => Next

const bodyOf = (bytes: Buffer) =>
  Object.assign(Readable.from(bytes.length === 0 ? [] : [bytes]), {
    transformToString: () => Promise.resolve(bytes.toString("utf8"))
  })

const answerOf = async (request: StoreRequest): Promise<Answered> => {
  const respond = (output: unknown, error: Error | null): Answered => {
    const date = new Date(storeHere.store?.now ?? 0).toUTCString()
    return { response: { headers: { date } }, output, error }
  }
  try {
    const output = (await sendAsSdk(request)) as { readonly Body?: Buffer }
    const isRead = request.kind === "get"
    return respond(isRead ? { ...output, Body: bodyOf(output.Body ?? Buffer.alloc(0)) } : output, null)
  } catch (cause) {
    if (cause instanceof Error && "$metadata" in cause) return respond(null, cause)
    throw cause
  }
}

export class S3Client {
  readonly #middlewares: Array<Middleware> = []
  readonly middlewareStack = { add: (one: Middleware) => void this.#middlewares.push(one) }

  async send({ request }: Command): Promise<unknown> {
    const last: Next = () => answerOf(request)
    const chain = this.#middlewares.reduce((next, middleware) => middleware(next), last)
    const { error, output } = await chain({ request: { hostname: "store" } })
    if (error !== null) throw error
    return output
  }

  destroy(): void {}
}

interface Page {
  readonly IsTruncated: boolean
  readonly NextContinuationToken?: string
}

export async function* paginateListObjectsV2({ client }: { readonly client: S3Client }, input: Input) {
  let token: string | undefined
  do {
    const more = token === undefined ? {} : { ContinuationToken: token }
    const page = (await client.send(new ListObjectsV2Command({ ...input, ...more }))) as Page
    yield page
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

/** No file of a history is large enough to be uploaded in parts. */
export class Upload {
  done(): Promise<never> {
    return Promise.reject(new Error("an upload in parts"))
  }
}
