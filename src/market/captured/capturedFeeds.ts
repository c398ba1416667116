import { hash } from "node:crypto"
import { Option } from "effect"
import { gzipSync } from "node:zlib"
import { type Capture, type CapturedAnswer, cutMark } from "../../feed/contract/Capture.ts"
import { FeedType } from "../../feed/contract/FeedFile.ts"
import { spanAt, spansIn } from "../../feed/contract/jsonSpans.ts"
import { edited, parsedJson } from "./cutPage.ts"

/** A feed file with the lines that were captured. */
interface CapturedFile {
  readonly lines: number
  readonly bytes: Uint8Array
  readonly checksum: string
}

const isSum = /^(?:sha256:)?[0-9a-f]{64}$/i
const sizeName = /size|bytes/i

/** The first lines of each feed as a file, and what is said of them. */
export const capturedFeeds = ({ answers }: Capture) => {
  const files = new Map<FeedType, CapturedFile>()
  for (const type of FeedType.literals) {
    const body = answers.find(({ part }) => part === `${type} lines`)?.body ?? ""
    if (body === "") continue
    const lines = body.split("\n").filter((line) => line.trim() !== "").length
    files.set(type, { lines, bytes: gzipSync(body), checksum: hash("sha256", body, "hex") })
  }

  /** What a value about a file says once the file has only its first lines. */
  const saidOf = (key: string, said: unknown, { file, largest, link }: SaidFile): string | null => {
    if (typeof said === "string" && said.includes("://")) return JSON.stringify(link)
    if (typeof said === "string" && isSum.test(said)) {
      return JSON.stringify((said.toLowerCase().startsWith("sha256:") ? "sha256:" : "") + file.checksum)
    }
    if (typeof said !== "number") return null
    return String(sizeName.test(key) || said === largest ? file.bytes.length : file.lines)
  }

  /** The answer about the files, with links to these, and their sums and sizes. */
  const aboutFeeds = ({ body }: CapturedAnswer, linkTo: (type: FeedType) => string): string => {
    if (Option.isNone(parsedJson(body))) return body
    const edits = FeedType.literals.flatMap((type) => {
      const file = files.get(type)
      const about = spanAt(body, [type])
      if (about === null || file === undefined) return []
      const said = spansIn(body, about.start).map(({ end, key, start }) => {
        const value: unknown = JSON.parse(body.slice(start, end))
        return { end, key, start, value }
      })
      const largest = Math.max(...said.map(({ value }) => (typeof value === "number" ? value : 0)))
      return said.flatMap(({ end, key, start, value }) => {
        const by = saidOf(key, value, { file, largest, link: linkTo(type) })
        return by === null ? [] : [{ start, end, by }]
      })
    })
    return edited(body, edits)
  }
  return { files, aboutFeeds }
}

interface SaidFile {
  readonly file: CapturedFile
  readonly link: string
  /** The greatest figure about the file: its size, whatever it is called. */
  readonly largest: number
}

/** What signs a link to a captured file. */
export const captureSignature = `signature=${encodeURIComponent(cutMark)}`
