import { cutMark } from "../../../feed/contract/Capture.ts"
import { afterSpace, endOfString, endOfValue, textIn } from "../../../feed/contract/jsonSpans.ts"

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

// A text may have millions of letters without a space, so patterns for long words start at the word's beginning.
const link = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s"'<>\\]+/gi
const mail = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

/** Keys with data of the account. */
const ofAccount = /^(?:account|user|owner|customer|client|wallet|balance|e-?mail|phone)/i

/** Keys with secrets or bank details, in any case and with any word separator. */
const ofSecret =
  /(?:token|secret|passw(?:or)?d|passphrase|(?:api|access|private|signing)[-_ ]?key|credentials?|authorization|session(?:[-_ ]?id)?|cookie|jwt|signature|hmac|iban|bic)"?$/i

/** Names before a signature in a path, as a separate segment or joined to it. */
const signs = "(?:token|sig|signature|hmac|auth|key|api[-_]?key|access[-_]?key|secret|policy|hdn(?:ts|ea)|jwt)"

/** Matches a secret in a query, also in a path or a link without its server. */
const secretInQuery = new RegExp(
  String.raw`([?&][^=&?\s"]*(?<=(?:${signs}|token|secret|passw(?:or)?d|session)[^=&?\s"]*)=)[^&\s"]+`,
  "gi"
)

/** Matches a web token and a prefix joined by `-`. The lookahead finds the first dot once per word. */
const webToken = /(?<![\w-])(?=[\w-]+\.[\w-])((?:[\w-]*?-)??)eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g

const signedSegment = new RegExp(
  `(/${signs}/)[^/]+|([/;,]${signs}[=~:])[^/;,]+|(/)s--[^/]+--(?=/)|(/)[\\w=-]{32,}(?=/)`,
  "gi"
)

/** Removes query, user and fragment from a link, because they may grant access. */
const withoutQuery = (url: string): string =>
  url
    .replace(/^([^:]+:\/\/)[^/?#@]*@/, `$1${cutMark}@`)
    .replace(/[?#].+$/s, (rest) => `${rest[0]}${cutMark}`)
    .replace(signedSegment, (_, ...before) => `${before.slice(0, 4).find((one) => one !== undefined) ?? ""}${cutMark}`)

/**
 * Removes signatures of links, e-mail addresses and account data from an answer. Everything else is unchanged, so
 * prices remain exact. `isJson` includes lines of JSON.
 */
export const cutText = (text: string, isJson: boolean): { readonly text: string; readonly cuts: Cuts } => {
  const cuts = { links: 0, addresses: 0, account: 0 }
  const plain = (content: string): string =>
    content
      .replace(link, (url) => {
        const left = withoutQuery(url)
        if (left !== url) cuts.links += 1
        return left
      })
      .replace(secretInQuery, (all, name: string) => {
        const left = `${name}${cutMark}`
        if (left !== all) cuts.links += 1
        return left
      })
      .replace(webToken, (_, before: string) => {
        cuts.account += 1
        return before + cutMark
      })
      .replace(mail, (address) => {
        if (address.startsWith(cutMark)) return address
        cuts.addresses += 1
        return cutMark
      })
  if (!isJson) return { text: plain(text), cuts }
  const pieces: Array<string> = []
  let [done, next] = [0, 0]
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', next)) {
    next = endOfString(text, at)
    const written = text.slice(at, next)
    if (written.length < 2 || !written.endsWith('"')) return { text: pieces.join("") + plain(text.slice(done)), cuts }
    const behind = afterSpace(text, next)
    const isKey = text[behind] === ":"
    const isSecret = isKey && ofSecret.test(written) && text[afterSpace(text, behind + 1)] === '"'
    if (isKey && !isSecret && !ofAccount.test(written.slice(1))) continue
    const original = textIn(written)
    const value = afterSpace(text, behind + 1)
    const end = isKey ? endOfValue(text, value) : next
    const left = isKey ? cutMark : plain(original)
    if (isKey) cuts.account += 1
    if (left === original) continue
    pieces.push(text.slice(done, isKey ? value : at), JSON.stringify(left))
    done = end
    next = end
  }
  return { text: pieces.join("") + text.slice(done), cuts }
}
