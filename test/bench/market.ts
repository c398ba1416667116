import { startSandbox } from "../market/facts/world/startSandbox.ts"
import { checkWhole } from "../market/load/checkDealer.ts"
import type { Call } from "../market/load/Caller.ts"
import { makeDealer } from "../market/load/Dealer.ts"
import { bench, line } from "./report.ts"

/**
 * `npm run bench:market [CLIENTS] [SECONDS]`: sellers and buyers at once, half of their calls writes.
 * The sandbox, a second process, keeps its state on the disk and may lose nothing that it answered.
 */
const clients = Number(process.argv[2] ?? 200)
const seconds = Number(process.argv[3] ?? 60)

const isRead = ({ method, path }: Call) => method === "GET" || path.endsWith("/search")

await bench(`${clients} clients for ${seconds} s, state on the disk, node ${process.version}`, async (state) => {
  const sandbox = await startSandbox("--empty", "--state", state)
  const waits: Record<"reads" | "writes", Array<number>> = { reads: [], writes: [] }
  const note = (call: Call, millis: number) => waits[isRead(call) ? "reads" : "writes"].push(millis)
  const names = Array.from({ length: clients }, (_, at) => `dealer ${at}`)
  const dealers = await Promise.all(names.map((name) => makeDealer(sandbox.url, name, note)))
  for (const kind of Object.values(waits)) kind.length = 0
  const began = performance.now()
  const millisOn = () => performance.now() - began
  await Promise.all(
    dealers.map(async (dealer) => {
      while (millisOn() < seconds * 1000) {
        await dealer.look()
        await dealer.act()
      }
    })
  )
  const took = millisOn() / 1000
  const { reads, writes } = waits
  line("requests a second", ((reads.length + writes.length) / took).toFixed(0))
  for (const [name, kind] of Object.entries(waits)) {
    const sorted = kind.toSorted((a, b) => a - b)
    const share = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? NaN).toFixed(0)
    line(`${name}: half of them answered within; 99 of 100`, `${share(0.5)} ms; ${share(0.99)} ms`)
  }
  await Promise.all(dealers.map((dealer) => checkWhole(sandbox.url, dealer)))
  const sum = (of: (dealer: (typeof dealers)[number]) => number) => dealers.reduce((all, each) => all + of(each), 0)
  line(
    "answered writes, all of them there; orders, all of them whole",
    `${sum((each) => each.answered)}; ${sum((each) => each.orders.size)}`
  )
  await sandbox.stop()
})
