import { Effect } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { readFaultPlan } from "../src/market/faults/readFaultPlan.ts"
import { readAccountsFile } from "../src/market/filling/AccountsFile.ts"
import type { Filling } from "../src/market/filling/fillMarket.ts"
import { readerKey, recordFixtures } from "../src/market/recording/recordFixtures.ts"
import { serveCapture } from "../src/market/serveCapture.ts"
import { serveSandbox } from "../src/market/serveSandbox.ts"
import { readCapture } from "../src/night/run/capture/captureFile.ts"
import { unreadParts } from "../src/night/run/capture/capturedPages.ts"
import { printAnswer, printAsIs, printJson, wrongUsage } from "./print/printAnswer.ts"
import { sandboxWelcome } from "./print/sandboxWelcome.ts"
import type * as specs from "./specs/setup.ts"
import { sample } from "./specs/setup.ts"

type SandboxFlags = typeof specs.sandbox.Input

const given = (flags: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([name, flag]) => ((typeof flag === "boolean" ? flag : flag !== null) ? [name] : []))

/** Explains which flags cannot be combined, as `--record` and `--from` serve something of their own; null if all can. */
const flagsFault = (flags: SandboxFlags): string | null => {
  const { empty, from, record } = flags
  const begins = { "--accounts": flags.accounts, "--orders": flags.orders, "--accounts-file": flags.accountsFile }
  const [first] = given(begins)
  if (empty && first !== undefined) return `--empty and ${first} exclude each other. Leave out one`
  const others = from === null ? { "--key": flags.key } : { "--record": record }
  const unread = given({
    "--catalogue": flags.catalogue !== sample,
    "--state": flags.state,
    "--live": from !== null && flags.live !== "first",
    "--rate": flags.rate,
    "--dialect": from !== null && flags.dialect !== "spec",
    "--faults": flags.faults,
    ...begins,
    "--empty": empty,
    "--odd": flags.odd,
    "--small-ids": flags.smallIds,
    ...others
  }).join(", ")
  if (unread === "" || (from ?? record) === null) return null
  return from === null
    ? `--record uses the sample and its own accounts. Leave out ${unread}`
    : `--from serves the capture unchanged, at its own limits. Leave out ${unread}`
}

const someAccounts = 20
const firstHour = { accounts: 6, orders: 48 }

/** Returns the accounts to generate; undefined if accounts are named or none are wanted. */
const chooseFilling = (flags: SandboxFlags): Filling | undefined => {
  const { accounts, accountsFile, empty, orders, seed } = flags
  if (accounts !== null || orders !== null) {
    return { seed, accounts: accounts ?? someAccounts, orders: orders ?? 0 }
  }
  return empty || accountsFile !== null ? undefined : { seed, ...firstHour }
}

const serveFrom = Effect.fnUntraced(function* (file: string, { allowHost, json, key, port }: SandboxFlags) {
  const capture = yield* readCapture(file)
  const served = yield* serveCapture({ capture, port, allowedHosts: allowHost, ...(key === null ? {} : { key }) })
  const isRead = unreadParts(capture).length === 0 && capture.game !== null
  const night = `CARDLAKE_API_KEY=${served.key} cardlake nightly ${shellWord(capture.game ?? "GAME")} --url ${served.url} --home /tmp/captured`
  yield* printAnswer(
    json,
    { ...served, game: capture.game, seller: null, buyer: null, listingId: null },
    ({ description, url }) =>
      [
        ...description,
        "",
        `The sandbox listens at ${url}`,
        `Key: ${served.key}`,
        isRead
          ? `Try a night of it:  ${night}`
          : "No night can be tried: the capture is incomplete. Capture again: cardlake doctor --capture FILE",
        "Stop with Ctrl-C"
      ].join("\n")
  )
  return yield* Effect.never
})

export const sandbox = Effect.fnUntraced(function* (flags: SandboxFlags) {
  const { catalogue, dialect, state, port, key, live, rate, rateWindow, faults, json } = flags
  const fault = flagsFault(flags)
  if (fault !== null) return yield* wrongUsage(fault)
  if (flags.from !== null) return yield* serveFrom(flags.from, flags)
  if (flags.record !== null) {
    const { origin } = yield* serveSandbox({ catalogue, dialect, port, key: readerKey, faults: {} })
    const recorded = yield* recordFixtures(origin, flags.record, dialect)
    return yield* printAnswer(
      json,
      recorded,
      ({ errors, folder, operations, webhooks }) =>
        `${operations} operations, ${errors} errors and ${webhooks} events are in ${folder}`
    )
  }
  const plan = faults !== null ? yield* readFaultPlan(faults) : undefined
  const named = flags.accountsFile !== null ? yield* readAccountsFile(flags.accountsFile) : undefined
  const fills = chooseFilling(flags)
  const served = yield* serveSandbox({
    catalogue,
    odd: flags.odd,
    smallIds: flags.smallIds,
    port,
    live,
    rateWindow,
    dialect,
    livePrices: flags.livePrices,
    feedLag: flags.feedLag,
    allowedHosts: flags.allowHost,
    ...(state !== null ? { state } : {}),
    ...(key !== null ? { key } : {}),
    ...(rate !== null ? { rateLimit: rate } : {}),
    ...(fills === undefined ? {} : { filling: fills }),
    ...(named === undefined ? {} : { accounts: named }),
    ...(plan === undefined ? {} : { faults: plan })
  })
  const isMeant = fills !== undefined || named !== undefined
  if (json) yield* printJson({ url: served.url, key: served.key, ...(yield* served.traders) })
  else yield* printAsIs(yield* sandboxWelcome(served, { dialect, isMeant }))
  return yield* Effect.never
})
