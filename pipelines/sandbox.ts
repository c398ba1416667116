import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { fillingOf, sandboxFault, sandboxFlags } from "./flags/sandboxFlags.ts"
import { printAnswer, printAsIs, printJson, wrongUsage } from "./print/printAnswer.ts"
import { sandboxWelcome } from "./print/sandboxWelcome.ts"

/** Serves the marketplace API on this machine until it is told to stop. */
export const sandbox = Command.make(
  "sandbox",
  sandboxFlags,
  Effect.fnUntraced(function* (flags) {
    const { catalogue, dialect, state, port, key, live, rate, rateWindow, synthetic, syntheticGames, faults, json } =
      flags
    const fault = sandboxFault(flags)
    if (fault !== null) {
      return yield* wrongUsage(fault)
    }
    if (Option.isSome(flags.from)) {
      const { serveFrom } = yield* Effect.promise(() => import("./lake/serveFrom.ts"))
      const served = { file: flags.from.value, port, key: Option.getOrUndefined(key), json }
      return yield* serveFrom({ ...served, allowedHosts: flags.allowHost })
    }
    // Loaded here, so that no other command waits for the HTTP server.
    const { serveSandbox } = yield* Effect.promise(() => import("../src/market/serveSandbox.ts"))
    if (Option.isSome(flags.record)) {
      const { readerKey, recordFixtures } = yield* Effect.promise(
        () => import("../src/market/recording/recordFixtures.ts")
      )
      const { origin } = yield* serveSandbox({ catalogue, dialect, port, key: readerKey, faults: {} })
      const recorded = yield* recordFixtures(origin, flags.record.value, dialect)
      return yield* printAnswer(json, recorded, ({ errors, folder, operations, webhooks }) =>
        [`${operations} operations, ${errors} errors and ${webhooks} events are in ${folder}`].join("")
      )
    }
    const { readFaultPlan } = yield* Effect.promise(() => import("../src/market/faults/readFaultPlan.ts"))
    const { readAccountsFile } = yield* Effect.promise(() => import("../src/market/filling/AccountsFile.ts"))
    const plan = Option.isSome(faults) ? yield* readFaultPlan(faults.value) : undefined
    const named = Option.isSome(flags.accountsFile) ? yield* readAccountsFile(flags.accountsFile.value) : undefined
    const fills = fillingOf(flags)
    const served = yield* serveSandbox({
      catalogue: Option.match(synthetic, {
        onNone: () => catalogue,
        onSome: (products) => ({ synthetic: products, games: syntheticGames })
      }),
      odd: flags.odd,
      port,
      live,
      rateWindow,
      dialect,
      livePrices: flags.livePrices,
      feedLag: flags.feedLag,
      allowedHosts: flags.allowHost,
      ...(Option.isSome(state) ? { state: state.value } : {}),
      ...(Option.isSome(key) ? { key: key.value } : {}),
      ...(Option.isSome(rate) ? { rateLimit: rate.value } : {}),
      ...(fills === undefined ? {} : { filling: fills }),
      ...(named === undefined ? {} : { accounts: named }),
      ...(plan === undefined ? {} : { faults: plan })
    })
    const isMeant = fills !== undefined || named !== undefined
    if (json) yield* printJson({ url: served.url, key: served.key, ...(yield* served.traders) })
    else yield* printAsIs(yield* sandboxWelcome(served, { dialect, isMeant }))
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve the marketplace API locally from a catalogue folder; its /openapi.json describes every operation"
  ),
  Command.withExamples([
    { command: "cardlake sandbox", description: "Serve the sample catalogue on a free port" },
    {
      command: "cardlake sandbox --catalogue data/sample --port 4600 --key secret --live last",
      description: "Serve a folder with its newest deployments live"
    },
    { command: "cardlake sandbox --state market", description: "Keep accounts, stock and orders in a folder" },
    { command: "cardlake sandbox --synthetic 1000000 --json", description: "Serve a million made-up products" },
    {
      command: "cardlake sandbox --accounts 20 --orders 500 --seed 7",
      description: "Begin with more sellers, stock, buyers and orders"
    },
    { command: "cardlake sandbox --accounts-file accounts.json", description: "Begin with accounts of your own" },
    { command: "cardlake sandbox --record fixtures", description: "Write what every operation answers, and end" },
    { command: "cardlake sandbox --from capture.json", description: "Serve what a marketplace answered" },
    { command: "cardlake sandbox --odd", description: "Serve four records that the contract must refuse, too" },
    {
      command: "cardlake sandbox --live-prices frozen",
      description: "Serve every live price as the folder has it, whatever is sold"
    },
    { command: "cardlake sandbox --rate 60", description: "Answer 429 beyond 60 requests a minute" },
    {
      command: "cardlake sandbox --dialect live --rate 60 --rate-window sliding",
      description: "Answer in the live service's words, at its limit"
    },
    { command: "cardlake sandbox --faults faults.json", description: "Make things go wrong as the file says" }
  ])
)
