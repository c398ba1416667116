import { availableParallelism, totalmem } from "node:os"

/** The container's memory, else the machine's. It includes Node's heap. */
export const availableBytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

/** A DuckDB thread that reads pages needs at least this much; with less, a load fails for lack of memory. */
const megabytesOfThread = 125

/** Returns DuckDB's options: a share of the memory, at most `most` megabytes, and the threads that it suffices for. */
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

/** For what cannot spill to disk, such as texts of many megabytes. */
export const roomyMemory = memoryBound(1000, 1 / 2)

/** For the one query that somebody asks: nothing else runs in its process. */
export const queryMemory = memoryBound(Number.POSITIVE_INFINITY, 1 / 2)
