import { hash } from "node:crypto"
import type { Process, World } from "../machine/World.ts"

interface Stored {
  readonly body: Buffer
  readonly tag: string
  readonly writtenMillis: number
}

/** What a store does wrong in a history, each as the share of requests that meet it. */
export interface StoreFaults {
  /** A conditional write that is answered 409, and not done. */
  readonly conflict: number
  /** A request that is done, and whose answer is lost. */
  readonly lostAnswer: number
  /** A request that is answered 500, and not done. */
  readonly failure: number
  /** A write that is confirmed and then lost. */
  readonly lostWrite: number
  /** How long lists lag behind, at most. */
  readonly lagMillis: number
  /** How far the store's clock is ahead of true time. */
  readonly clockAhead: number
}

export const goodStore: StoreFaults = {
  conflict: 0,
  lostAnswer: 0,
  failure: 0,
  lostWrite: 0,
  lagMillis: 0,
  clockAhead: 0
}

/** An error as the SDK throws it. */
export const storeError = (name: string, status: number | null): Error =>
  Object.assign(new Error(name), {
    name,
    ...(status === null ? { code: name } : { $metadata: { httpStatusCode: status } })
  })

/** The parameters of a request that the program sends. */
export interface StoreRequest {
  readonly kind: "get" | "put" | "head" | "delete" | "list"
  readonly Key?: string
  readonly Body?: Buffer
  readonly Range?: string
  readonly IfMatch?: string
  readonly IfNoneMatch?: string
  readonly Prefix?: string
  readonly StartAfter?: string
  readonly Delimiter?: string
  readonly ContinuationToken?: string
}

/**
 * A store that speaks S3, as far as the program relies on it: a write is atomic and conditional, the tag of an object follows from
 * its content, a list is in the order of keys.
 */
export class Store {
  readonly objects = new Map<string, Stored>()
  /** Objects that lists show for a while longer, or not yet. */
  readonly #deleted = new Map<string, { readonly stored: Stored; readonly untilMillis: number }>()
  readonly #hiddenUntil = new Map<string, number>()
  readonly #world: World
  faults: StoreFaults
  /** Keys of objects that were confirmed and lost. */
  readonly lost = new Set<string>()

  constructor(world: World, faults: StoreFaults) {
    this.#world = world
    this.faults = faults
  }

  get now(): number {
    return this.#world.now + this.faults.clockAhead
  }

  /** Sends a request of the running process, and resolves to the answer. */
  send(request: StoreRequest): Promise<unknown> {
    const world = this.#world
    const { conflict, failure, lostAnswer } = this.faults
    const what = `${request.Key ?? request.Prefix ?? ""}`
    const isWrite = request.kind === "put" || request.kind === "delete"
    let lost = false
    return world
      .operate(`store ${request.kind}`, what, 40, () => {
        const { random } = world
        if (failure > 0 && random.chance(failure)) throw storeError("InternalError", 500)
        const isConditional = request.IfMatch !== undefined || request.IfNoneMatch !== undefined
        if (isConditional && conflict > 0 && random.chance(conflict))
          throw storeError("ConditionalRequestConflict", 409)
        const answer = this.#answer(request)
        lost = isWrite && lostAnswer > 0 && random.chance(lostAnswer)
        return answer
      })
      .then((answer) => {
        if (lost) throw storeError("ECONNRESET", null)
        return answer
      })
  }

  #answer(request: StoreRequest): unknown {
    const { Key = "", Range, kind } = request
    const there = this.objects.get(Key)
    if (kind === "put") return this.#put(request, there)
    if (kind === "list") return this.#list(request)
    if (kind === "delete") {
      if (there !== undefined) this.#deleted.set(Key, { stored: there, untilMillis: this.#world.now + this.#lag() })
      this.objects.delete(Key)
      return {}
    }
    if (there === undefined) throw storeError(kind === "head" ? "NotFound" : "NoSuchKey", 404)
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(Range ?? "") ?? []
    if (first !== undefined && Number(first) >= there.body.length) throw storeError("InvalidRange", 416)
    const body = first === undefined ? there.body : there.body.subarray(Number(first), Number(last) + 1)
    return { Body: body, ETag: there.tag, ContentLength: body.length, LastModified: new Date(there.writtenMillis) }
  }

  #lag(): number {
    return this.faults.lagMillis === 0 ? 0 : this.#world.random.int(this.faults.lagMillis)
  }

  #put({ Body = Buffer.alloc(0), IfMatch, IfNoneMatch, Key = "" }: StoreRequest, there: Stored | undefined): unknown {
    if (IfNoneMatch === "*" && there !== undefined) throw storeError("PreconditionFailed", 412)
    if (IfMatch !== undefined && there === undefined) throw storeError("NoSuchKey", 404)
    if (IfMatch !== undefined && there?.tag !== IfMatch) throw storeError("PreconditionFailed", 412)
    const tag = `"${hash("md5", Body)}"`
    // By whole seconds, as the header says it.
    const writtenMillis = Math.floor(this.now / 1000) * 1000
    const isDamaged =
      this.faults.lostWrite > 0 &&
      /\/(attempt-|objects\/|commits\/)/.test(Key) &&
      this.#world.random.chance(this.faults.lostWrite)
    if (isDamaged) this.lost.add(Key)
    else this.objects.set(Key, { body: Buffer.from(Body), tag, writtenMillis })
    if (there === undefined) this.#hiddenUntil.set(Key, this.#world.now + this.#lag())
    return { ETag: tag }
  }

  #list({ ContinuationToken, Delimiter, Prefix = "", StartAfter = "" }: StoreRequest): unknown {
    const { now } = this.#world
    const after = ContinuationToken ?? StartAfter
    const shown = new Map([...this.objects].filter(([key]) => (this.#hiddenUntil.get(key) ?? 0) <= now))
    for (const [key, { stored, untilMillis }] of this.#deleted)
      if (untilMillis > now && !shown.has(key)) shown.set(key, stored)
    const keys = [...shown.keys()].filter((key) => key.startsWith(Prefix) && key > after).sort()
    const folders = new Set<string>()
    const own = keys.filter((key) => {
      const end = Delimiter === undefined ? -1 : key.indexOf(Delimiter, Prefix.length)
      if (end >= 0) folders.add(key.slice(0, end + 1))
      return end < 0
    })
    const page = own.slice(0, 1000)
    return {
      Contents: page.map((key) => {
        const { body, writtenMillis } = shown.get(key) ?? { body: Buffer.alloc(0), writtenMillis: 0 }
        return { Key: key, Size: body.length, LastModified: new Date(writtenMillis) }
      }),
      CommonPrefixes: [...folders].map((folder) => ({ Prefix: folder })),
      IsTruncated: own.length > page.length,
      NextContinuationToken: page.at(-1)
    }
  }
}

/** The store of the world that runs now. */
export const storeHere: { store: Store | null } = { store: null }

/** Requests that the SDK sends again by itself. */
const sdkTries = 5

/** Sends a request as the SDK does: again after an answer that did not come, or a 5xx. */
export const sendAsSdk = async (request: StoreRequest): Promise<unknown> => {
  const { store } = storeHere
  if (store === null) throw new Error("no store is running")
  for (let tries = 1; ; tries++) {
    try {
      return await store.send(request)
    } catch (cause) {
      const { $metadata: { httpStatusCode = 0 } = {}, name } = cause as {
        $metadata?: { httpStatusCode?: number }
        name: string
      }
      if (tries === sdkTries || (httpStatusCode < 500 && name !== "ECONNRESET")) throw cause
    }
  }
}

export type { Process }
