import { resolve } from "node:path"
import { Effect } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import { captureFileFree, writeCapture } from "../../src/night/run/capture/captureFile.ts"
import { captureService } from "../../src/night/run/capture/captureService.ts"
import { type UnreadPart, unreadParts } from "../../src/night/run/capture/capturedPages.ts"
import type { Cuts } from "../../src/night/run/capture/cutText.ts"
import { grouped } from "../../src/store/diff/formatAmount.ts"
import { printJson, printText, Stopped } from "../print/printAnswer.ts"
import { showWork } from "../print/standardError.ts"
import { captureServices } from "../settings/marketServices.ts"
import { withServices } from "../settings/services.ts"

type Captured = Effect.Success<ReturnType<typeof captureService>>

interface CaptureOptions {
  readonly file: string
  /** Null selects the first game that has products. */
  readonly game: string | null
  readonly yes: boolean
  readonly json: boolean
}

/** Captures a service's answers, prints a preview, and writes the file after confirmation. */
export const runCapture = Effect.fnUntraced(function* (settings: Record<string, string>, options: CaptureOptions) {
  const { game, json, yes } = options
  const file = resolve(options.file)
  yield* captureFileFree(file)
  const captured = yield* showWork({ what: "Asking the marketplace", json })(
    withServices(captureServices(settings))(captureService(game))
  )
  const { capture, total } = captured
  const unread = unreadParts(capture)
  if (!json) yield* printText(partsText(file, captured))
  const canAsk = !yes && !json && process.stdin.isTTY && process.stdout.isTTY
  const isAgreed =
    yes ||
    (canAsk &&
      (yield* Effect.catchTag(Prompt.run(Prompt.Confirm({ message: `Write it to ${file}?` })), "QuitError", () =>
        Effect.fail(new Stopped({ code: 130 }))
      )))
  if (isAgreed) yield* writeCapture(file, capture)
  if (json) {
    const answers = capture.answers.map(({ body, fault, part, request, status }) => ({
      part,
      request,
      status,
      bytes: Buffer.byteLength(body),
      fault
    }))
    yield* printJson({ file, written: isAgreed, game: capture.game, answers, cut: total, unread })
  } else yield* printText([...unreadText(unread), isAgreed ? writtenText(file) : notWritten(canAsk)].join("\n"))
  if (unread.length > 0) return yield* new Stopped({ code: 1 })
})

const unreadText = (unread: ReadonlyArray<UnreadPart>): ReadonlyArray<string> =>
  unread.length === 0
    ? []
    : [
        ...unread.map(({ part, says }) => `BAD  ${part}: ${says}`),
        "Without these responses no mapping file can be tested on the capture.",
        ""
      ]

const notWritten = (isConfirmed: boolean): string =>
  isConfirmed ? "Nothing was written" : "Nothing was written. To write it, add --yes"

const writtenText = (file: string): string =>
  [
    `Written to ${file}, readable only by you. It is text: review it before you send it.`,
    `Test how a night reads it:     cardlake dialect ${shellWord(file)}`,
    `Serve it on this machine:      cardlake sandbox --from ${shellWord(file)}`
  ].join("\n")

const cutsText = ({ account, addresses, links }: Cuts): string =>
  account + addresses + links === 0
    ? ""
    : [
        links === 0 ? [] : [`${grouped(links)} × link`],
        addresses === 0 ? [] : [`${grouped(addresses)} × e-mail`],
        account === 0 ? [] : [`${grouped(account)} × account`]
      ]
        .flat()
        .join(", ")

const partsText = (file: string, { capture: { answers }, cuts, total }: Captured): string => {
  const rows = answers.map(({ body, fault, part, request, status }, at) => [
    part,
    status === null ? "none" : String(status),
    fault ?? `${grouped(Buffer.byteLength(body))} bytes`,
    cutsText(cuts[at] ?? { links: 0, addresses: 0, account: 0 }),
    request.length > 80 ? `${request.slice(0, 79)}…` : request
  ])
  return [
    `This would be written to ${file}, each body as received:`,
    "",
    textTable(["part", "status", "body", "cut", "request"], rows),
    "",
    `Removed: ${cutsText(total) || "nothing"}. Links lose only their query string. The key, the account and all headers except rate limits are not written`
  ].join("\n")
}
