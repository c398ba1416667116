import { join } from "node:path"
import { node, start, type Started } from "../../pipelines/cli.ts"

/** Workers that ask a marketplace as fast as the budget of their key lets them; each is a process with eight requests at once. */
export const budgetWorkers = (store: Readonly<Record<string, string>>, minuteMillis: number) => {
  const started: Array<Started> = []
  return {
    /** Resolves once it begins to ask; `off`: how far its clock is, in milliseconds. */
    begin: async (
      home: string,
      { key, off = 0, url }: { readonly url: string; readonly key: string; readonly off?: number }
    ) => {
      const worker = start(
        node,
        [join(import.meta.dirname, "budgetWorker.ts"), `s3://lakes/${home}`, String(minuteMillis), String(off)],
        { env: { ...store, CARDLAKE_URL: url, CARDLAKE_API_KEY: key } }
      )
      started.push(worker)
      await worker.shows("asking")
      return worker
    },
    /** Ends all, and resolves to what each of them printed. */
    stop: async () => {
      for (const { process } of started) {
        process.kill("SIGCONT")
        process.kill("SIGTERM")
      }
      const ended = await Promise.all(started.splice(0).map(({ ended }) => ended))
      return ended.map(({ stdout }) => stdout)
    }
  }
}
