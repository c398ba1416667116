import { cutMark } from "../../contract/Capture.ts"
import { afterSpace, endOfValue } from "../../contract/jsonSpans.ts"

/** How much of an answer was cut. */
export interface Cuts {
  readonly links: number
  readonly addresses: number
  readonly account: number
}

export const noCuts: Cuts = { links: 0, addresses: 0, account: 0 }

export const sumOfCuts = (all: ReadonlyArray<Cuts>): Cuts =>
  all.reduce(
    (sum, { account, addresses, links }) => ({
      links: sum.links + links,
      addresses: sum.addresses + addresses,
      account: sum.account + account
    }),
    noCuts
  )

const link = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>\\]+/gi
const mail = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

/** Keys whose values are of whoever asked. */
const ofAccount = /^(?:account|user|owner|customer|client|wallet|balance|e-?mail|phone)/i

const string = /"(?:[^"\\]|\\.)*"/gs

/** A link without its query, a user in it, and what is behind `#`: whoever had these could open what it opens. */
const withoutQuery = (url: string): string =>
  url.replace(/^([^:]+:\/\/)[^/?#@]*@/, `$1${cutMark}@`).replace(/[?#].+$/s, (rest) => `${rest[0]}${cutMark}`)

/**
 * The text of an answer without what signs a link, without e-mail addresses, and without what it says of an account. All
 * else stays letter for letter, so that prices are what they were. `isJson`: also of lines of JSON.
 */
export const cutText = (text: string, isJson: boolean): { readonly text: string; readonly cuts: Cuts } => {
  const cuts = { links: 0, addresses: 0, account: 0 }
  const plain = (said: string): string =>
    said
      .replace(link, (url) => {
        const left = withoutQuery(url)
        if (left !== url) cuts.links += 1
        return left
      })
      .replace(mail, (address) => {
        if (address.startsWith(cutMark)) return address
        cuts.addresses += 1
        return cutMark
      })
  if (!isJson) return { text: plain(text), cuts }
  const pieces: Array<string> = []
  let done = 0
  string.lastIndex = 0
  for (let found = string.exec(text); found !== null; found = string.exec(text)) {
    const [written] = found
    const behind = afterSpace(text, string.lastIndex)
    const isKey = text[behind] === ":"
    if (isKey && !ofAccount.test(written.slice(1))) continue
    const said = written.includes("\\") ? String(JSON.parse(written)) : written.slice(1, -1)
    const value = afterSpace(text, behind + 1)
    const end = isKey ? endOfValue(text, value) : string.lastIndex
    const left = isKey ? cutMark : plain(said)
    if (isKey) cuts.account += 1
    if (left === said) continue
    pieces.push(text.slice(done, isKey ? value : found.index), JSON.stringify(left))
    done = end
    string.lastIndex = end
  }
  return { text: pieces.join("") + text.slice(done), cuts }
}
