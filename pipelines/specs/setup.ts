import { fileURLToPath } from "node:url"
import * as Flag from "effect/cli/Flag"
import { dialectNames } from "../../src/feed/contract/dialect/dialects.ts"
import { zone, cluster } from "../flags/nightFlags.ts"
import {
  allowHost,
  choiceFlag,
  dialectFlag,
  home,
  json,
  maxAge,
  optionalArgument,
  optionalText,
  portFlag,
  switchFlag,
  textArgument,
  textFlag,
  url,
  wholeNumberFlag
} from "../flags/sharedFlags.ts"
import { spec } from "./spec.ts"

export const sample = fileURLToPath(new URL("../../data/sample", import.meta.url))

export const init = spec({
  name: "init",
  flags: {
    folder: textArgument("folder", "Folder for the settings and the schedule files, created if missing"),
    url,
    home: optionalText("home", "DIR", "Folder of the lake; default: CARDLAKE_HOME, else lake in the folder"),
    hour: wholeNumberFlag("hour", "HOUR", { from: 0, to: 23 }).pipe(
      Flag.withDescription("Hour at which a night begins; default: 3"),
      Flag.optional
    ),
    tz: zone("Time zone of the hour, such as Europe/Zurich; default: this machine's").pipe(Flag.optional),
    json
  },
  description:
    "Ask for what a night needs, check it, and write a .env and schedule files into a folder; nothing is installed",
  examples: [
    ["cardlake init /srv/cardlake", "Asks for the address, the key, the home, the hour and the zone"],
    [
      "cardlake init /srv/cardlake --url https://api.example --hour 3 < key.txt",
      "Asks nothing; the key comes from standard input or CARDLAKE_API_KEY"
    ]
  ]
})

export const doctor = spec({
  name: "doctor",
  flags: {
    url,
    home,
    cluster,
    dialect: dialectFlag(
      "Field names of the pages, or a mapping file, as for nightly; default: CARDLAKE_DIALECT, else auto"
    ).pipe(Flag.optional),
    maxAge,
    repair: switchFlag(
      "repair",
      "Repair a damaged home, in a folder or bucket: rebuild current.json, and damaged files from the raw pages"
    ),
    accept: switchFlag(
      "accept",
      "With --repair: accept the present rows of a month if nothing is on record about them"
    ),
    capture: optionalText(
      "capture",
      "FILE",
      "Request a page of each list, and write the answers to this new file, without key and account"
    ),
    game: optionalText("game", "GAME", "With --capture: the game to read; default: the first with products"),
    yes: switchFlag("yes", "With --capture: write without confirmation; needed without a terminal"),
    json
  },
  description:
    "Check settings, key, marketplace, home, lake, its age and missed nights; exit code 1 if something is wrong, 3 if a game is held",
  examples: [
    ["cardlake doctor", "Before the first night, and when one fails"],
    ["cardlake doctor --repair", "Repair what can be repaired; never deletes"],
    [
      "cardlake doctor --capture capture.json",
      "Sample answers of the marketplace in a file, shown before it is written"
    ],
    ["cardlake doctor --max-age 26h", "Exit code 1 when nothing was read for 26 hours"]
  ]
})

export const status = spec({
  name: "status",
  flags: { home, maxAge, json },
  description:
    "Show on one screen how things stand, from what is on disk; exit code 1 if something is wrong, 3 if a game is held",
  examples: [
    ["cardlake status", "Last and next night, held games, disk, exchange rates, watched prices"],
    ["cardlake status --json", "The same for a program; it does not count as a look"]
  ]
})

export const dialect = spec({
  name: "dialect",
  flags: {
    capture: optionalArgument("capture", "File of cardlake doctor --capture; without it, a known dialect is printed"),
    like: choiceFlag(
      "like",
      dialectNames,
      "Dialect to start from; default: live, or the one that fits the capture best"
    ).pipe(Flag.optional),
    dialect: dialectFlag("Test this dialect on the capture, instead of proposing one").pipe(Flag.optional),
    json
  },
  description: "Print a mapping file: a known one, or a proposal for a capture; or test one on a capture, offline",
  examples: [
    ["cardlake dialect --like live", "The live service's names, as a mapping file"],
    ["cardlake dialect capture.json > dialect.json", "A proposed mapping file, to review"],
    [
      "cardlake dialect capture.json --dialect dialect.json",
      "Test the file; exit code 1 if a night would fail or lose prices"
    ]
  ]
})

export const sandbox = spec({
  name: "sandbox",
  flags: {
    catalogue: textFlag("catalogue", "DIR", "Catalogue folder with games.json; default: the sample catalogue").pipe(
      Flag.withDefault(sample)
    ),
    odd: switchFlag("odd", "Also serve records that the contract must refuse: odd.json of each game"),
    smallIds: switchFlag("small-ids", "Serve only games whose ids are below 2^31, for programs with 32-bit ids"),
    state: optionalText("state", "DIR", "Folder to persist accounts, stock and orders; default: in memory"),
    port: portFlag("port", "Port on 127.0.0.1; 0, the default, picks a free one").pipe(Flag.withDefault(0)),
    allowHost,
    key: optionalText("key", "KEY", "The API key to accept; default: one is generated and printed"),
    live: choiceFlag("live", ["first", "last"], "Deployment that every game starts with").pipe(
      Flag.withDefault("first")
    ),
    rate: wholeNumberFlag("rate", "N", { from: 1, to: 1_000_000 }).pipe(
      Flag.withDescription(
        "Requests per minute and account, also the burst; 60 also sets the service's hourly limits; default: no limit"
      ),
      Flag.optional
    ),
    rateWindow: choiceFlag(
      "rate-window",
      ["refill", "sliding"],
      "How --rate refills: evenly, or at most N in any 60 seconds"
    ).pipe(Flag.withDefault("refill")),
    dialect: choiceFlag(
      "dialect",
      dialectNames,
      "Answer with the names of the specification, or of the live service; POST /sandbox/dialect switches"
    ).pipe(Flag.withDefault("spec")),
    livePrices: choiceFlag(
      "live-prices",
      ["live", "frozen"],
      "Compute live prices from the listings, or serve the catalogue's text unchanged"
    ).pipe(Flag.withDefault("live")),
    feedLag: wholeNumberFlag("feed-lag", "SECONDS", { from: 0, to: 1_000_000_000 }).pipe(
      Flag.withDescription("Delay of the feed files after a deployment; POST /sandbox/feeds changes it"),
      Flag.withDefault(0)
    ),
    faults: optionalText("faults", "FILE", "JSON file of faults to inject; GET /sandbox/faults counts them"),
    seed: wholeNumberFlag("seed", "N", { from: 0, to: 1_000_000_000 }).pipe(
      Flag.withDescription("Seed of accounts, stock and orders: the same seed gives the same ones, except times"),
      Flag.withDefault(1)
    ),
    accounts: wholeNumberFlag("accounts", "N", { from: 2, to: 1000 }).pipe(
      Flag.withDescription("Start with this many accounts, half of them sellers with stock; default: 6"),
      Flag.optional
    ),
    orders: wholeNumberFlag("orders", "N", { from: 1, to: 100_000 }).pipe(
      Flag.withDescription(
        "Start with this many orders, in every state, over 90 days; default: 48, without --accounts 20"
      ),
      Flag.optional
    ),
    accountsFile: optionalText(
      "accounts-file",
      "FILE",
      "JSON file of accounts (names, keys and stock), which replace the random ones"
    ),
    empty: switchFlag("empty", "Start with only the key's account: no seller, no buyer, no orders"),
    record: optionalText(
      "record",
      "DIR",
      "Write a request and answer of every operation and a signed sample of each event, then exit"
    ),
    from: optionalText("from", "FILE", "Serve only the file of doctor --capture"),
    json: switchFlag("json", "Print one object {url, key, seller, buyer, listingId} once it is listening")
  },
  description: "Serve the marketplace API locally from a catalogue folder; /openapi.json describes it",
  examples: [
    ["cardlake sandbox", "Serve the sample catalogue on a free port"],
    [
      "cardlake sandbox --catalogue data/sample --port 4600 --key secret --live last",
      "Serve a folder with its newest deployments live"
    ],
    ["cardlake sandbox --state market", "Persist accounts, stock and orders in a folder"],
    ["cardlake sandbox --accounts 20 --orders 500 --seed 7", "More sellers, stock, buyers and orders"],
    ["cardlake sandbox --accounts-file accounts.json", "Use your own accounts"],
    ["cardlake sandbox --record fixtures", "Write every operation's answer, then exit"],
    ["cardlake sandbox --from capture.json", "Serve a capture"],
    ["cardlake sandbox --odd", "Also serve four records that the contract must refuse"],
    ["cardlake sandbox --live-prices frozen", "Serve the folder's live prices, unaffected by sales"],
    ["cardlake sandbox --rate 60", "Answer 429 beyond 60 requests a minute"],
    [
      "cardlake sandbox --dialect live --rate 60 --rate-window sliding",
      "Answer with the live service's names, at its limit"
    ],
    ["cardlake sandbox --faults faults.json", "Inject the faults of a file"]
  ]
})

export const demo = spec({
  name: "demo",
  flags: { home: optionalText("home", "DIR", "Folder for the demo's lake, replaced each time; default: data/demo") },
  description: "Play ten nights against the built-in sandbox marketplace, and query the lake",
  examples: [["cardlake demo", "Exits by itself, and prints how to open the lake"]]
})
