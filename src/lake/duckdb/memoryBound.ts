import { availableParallelism, totalmem } from "node:os"

/** What the container gives this process, else the whole machine. Node keeps its own heap within it, too. */
export const availableBytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

/** A thread of DuckDB that reads pages holds so much at least; with less for each, a load ends for want of memory. */
const megabytesOfThread = 125

/** DuckDB's options: a share of the memory, at most `most` megabytes; with less, only as many threads as it feeds. */
export const memoryBound = (most: number, share: number) => {
  const megabytes = Math.min(most, Math.floor((availableBytes * share) / 1e6))
  const fed = Math.max(1, Math.floor(megabytes / megabytesOfThread))
  return {
    memory_limit: `${megabytes}MB`,
    ...(megabytes < most ? { threads: String(Math.min(availableParallelism(), fed)) } : {})
  }
}

/** A command's one DuckDB: of 512 MB in all, 178 MB. */
export const lakeMemory = memoryBound(500, 1 / 3)

/** For what cannot wait on the disk, as texts of many megabytes. */
export const roomyMemory = memoryBound(1000, 1 / 2)
