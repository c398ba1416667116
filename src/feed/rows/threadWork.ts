import { collectGarbage } from "../client/collectGarbage.ts"
import { type Parsed, parsePage, type SentPage } from "./parsePage.ts"
import { makeShredder, type Shredder } from "./Shredder.ts"

/** A job of a thread. `folder` is the target of the round's records. */
export type Job =
  | { readonly _tag: "parse"; readonly folder: string; readonly page: SentPage }
  | { readonly _tag: "end"; readonly folder: string }
  | { readonly _tag: "drop"; readonly folder: string }

/** The result of a job. `cause` is its failure, or why rows are missing: they are shredded again from raw pages. */
export type Done =
  | { readonly _tag: "parsed"; readonly parsed: Parsed }
  | { readonly _tag: "ended"; readonly cause: string | null }
  | { readonly _tag: "threw"; readonly cause: string }

/** The start data of a thread: the name of its files, and the folder of compiled code, if any. */
export interface ThreadData {
  readonly name: string
  readonly cache: string | null
}

const describeCause = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Returns the job handler of one thread. `writer` names its files. */
export const makeThreadWork = (writer: string): ((job: Job) => Done) => {
  const rounds = new Map<string, { readonly shredder: Shredder; cause: string | null }>()
  const ensureRound = ({ folder, page }: Extract<Job, { _tag: "parse" }>) => {
    const known = rounds.get(folder)
    if (known !== undefined) return known
    const round = { shredder: makeShredder(page.gameId, { folder, writer }), cause: null }
    rounds.set(folder, round)
    return round
  }
  const parse = (job: Extract<Job, { _tag: "parse" }>): Done => {
    const round = ensureRound(job)
    const { kind, number } = job.page
    const parsed = parsePage(job.page, (dialect) => {
      const shred = round.shredder.sink(kind, number, dialect)
      return (record, index) => {
        if (round.cause !== null) return
        try {
          shred(record, index)
        } catch (cause) {
          round.cause = describeCause(cause)
        }
      }
    })
    return { _tag: "parsed", parsed }
  }
  const end = (folder: string): Done => {
    const round = rounds.get(folder)
    rounds.delete(folder)
    try {
      if (round?.cause === null) round.shredder.write()
      return { _tag: "ended", cause: round?.cause ?? null }
    } catch (cause) {
      return { _tag: "ended", cause: describeCause(cause) }
    }
  }
  return (job) => {
    try {
      if (job._tag === "parse") {
        const done = parse(job)
        if (job.page.mayBeLarge) collectGarbage()
        return done
      }
      if (job._tag === "end") return end(job.folder)
      rounds.delete(job.folder)
      return { _tag: "ended", cause: null }
    } catch (cause) {
      return { _tag: "threw", cause: describeCause(cause) }
    }
  }
}
