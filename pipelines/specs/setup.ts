import { fileURLToPath } from "node:url"
import * as Flag from "effect/cli/Flag"
import { dialectNames } from "../../src/feed/contract/dialect/dialects.ts"
import { zone } from "../flags/cronFlags.ts"
import { cluster } from "../flags/nightFlags.ts"
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

/** Prepares a folder for nights at a marketplace. */
export const init = spec({
  name: "init",
  flags: {
    folder: textArgument("folder", "Folder for the settings and the schedule files; made if it is not there"),
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
      "cardlake init /srv/cardlake --url https://api.your-marketplace.example --hour 3 < key.txt",
      "Asks nothing; the key comes from standard input or CARDLAKE_API_KEY"
    ]
  ]
})

/** Checks everything that a night needs, and prints next steps. */
export const doctor = spec({
  name: "doctor",
  flags: {
    url,
    home,
    cluster,
    dialect: dialectFlag(
      "The words that a page is looked at in, or a dialect file, as nightly has it; default: CARDLAKE_DIALECT, else auto"
    ).pipe(Flag.optional),
    maxAge,
    repair: switchFlag(
      "repair",
      "Repair a damaged home, in a folder or bucket: rebuild current.json, and damaged files from the raw pages"
    ),
    accept: switchFlag("accept", "With --repair: take a month whose rows are on record nowhere as they are now"),
    capture: optionalText(
      "capture",
      "FILE",
      "Ask for a page of each list, and write the answers to this new file, without key and account"
    ),
    game: optionalText(
      "game",
      "GAME",
      "With --capture: the game whose pages to ask for; default: the first that has products"
    ),
    yes: switchFlag("yes", "With --capture: write it without asking; without a terminal, it is not written otherwise"),
    json
  },
  description:
    "Check settings, key, marketplace, home, lake and its age; exit code 1 if something is wrong, 3 if a game is held",
  examples: [
    ["cardlake doctor", "Before the first night, and when one fails"],
    ["cardlake doctor --repair", "Repair what can be repaired; deletes nothing"],
    [
      "cardlake doctor --capture capture.json",
      "How the marketplace answers, in a file to be tried and sent; shown before it is written"
    ],
    ["cardlake doctor --max-age 26h", "Exit code 1 when nothing was read for 26 hours"]
  ]
})

/** Prints a dialect as a file to edit, proposes one for a capture, or tries one on it. */
export const dialect = spec({
  name: "dialect",
  flags: {
    capture: optionalArgument(
      "capture",
      "What cardlake doctor --capture wrote; without it, a known dialect is printed"
    ),
    like: choiceFlag(
      "like",
      dialectNames,
      "The dialect to begin with; default: live, or the one that fits the capture best"
    ).pipe(Flag.optional),
    dialect: dialectFlag("Say what of the capture is understood in this dialect, instead of proposing one").pipe(
      Flag.optional
    ),
    json
  },
  description:
    "Print a dialect as a file to alter: a known one, or one proposed for a capture; or try one on it, offline",
  examples: [
    ["cardlake dialect --like live", "The live service's words, as a file"],
    [
      "cardlake dialect capture.json > dialect.json",
      "What a service seems to say otherwise, as a file to look through"
    ],
    [
      "cardlake dialect capture.json --dialect dialect.json",
      "What of it is understood with the file; exit code 1 if a night would fail or lose prices"
    ]
  ]
})

/** Serves the marketplace API on this machine until it is stopped. */
export const sandbox = spec({
  name: "sandbox",
  flags: {
    catalogue: textFlag("catalogue", "DIR", "Catalogue folder with games.json; default: the sample catalogue").pipe(
      Flag.withDefault(sample)
    ),
    odd: switchFlag("odd", "Serve the records that the contract must refuse, too: what odd.json of each game says"),
    state: optionalText(
      "state",
      "DIR",
      "Folder that keeps accounts, stock and orders; default: they are gone when the sandbox stops"
    ),
    port: portFlag("port", "Port on 127.0.0.1; 0, the default, picks a free one").pipe(Flag.withDefault(0)),
    allowHost,
    key: optionalText("key", "KEY", "The API key to accept; default: one is generated and printed"),
    live: choiceFlag("live", ["first", "last"], "Which deployment of every game is live at start").pipe(
      Flag.withDefault("first")
    ),
    rate: wholeNumberFlag("rate", "N", { from: 1, to: 1_000_000 }).pipe(
      Flag.withDescription(
        "Requests per minute for each account, also its burst; at 60 the hourly limits are the service's own; default: no limit"
      ),
      Flag.optional
    ),
    rateWindow: choiceFlag(
      "rate-window",
      ["refill", "sliding"],
      "How --rate fills again: evenly, or no more than N in any 60 seconds"
    ).pipe(Flag.withDefault("refill")),
    dialect: choiceFlag(
      "dialect",
      dialectNames,
      "Answer in the words of the specification, or as the live service does; POST /sandbox/dialect switches"
    ).pipe(Flag.withDefault("spec")),
    livePrices: choiceFlag(
      "live-prices",
      ["live", "frozen"],
      "Count live prices from the listings that are there, or serve the catalogue's text as it is"
    ).pipe(Flag.withDefault("live")),
    feedLag: wholeNumberFlag("feed-lag", "SECONDS", { from: 0, to: 1_000_000_000 }).pipe(
      Flag.withDescription("How long the feed files stay behind a deployment; POST /sandbox/feeds changes it"),
      Flag.withDefault(0)
    ),
    synthetic: wholeNumberFlag("synthetic", "N", { from: 1, to: 20_000_000 }).pipe(
      Flag.withDescription("Serve this many made-up products instead of a folder, for benchmarks"),
      Flag.optional
    ),
    syntheticGames: wholeNumberFlag("synthetic-games", "N", { from: 1, to: 3 }).pipe(
      Flag.withDescription("Games to spread the made-up products over, 1 to 3"),
      Flag.withDefault(3)
    ),
    faults: optionalText(
      "faults",
      "FILE",
      "JSON file that says what goes wrong and when; GET /sandbox/faults counts it"
    ),
    seed: wholeNumberFlag("seed", "N", { from: 0, to: 1_000_000_000 }).pipe(
      Flag.withDescription("Seed of accounts, stock and orders: the same seed makes the same ones, but for the times"),
      Flag.withDefault(1)
    ),
    accounts: wholeNumberFlag("accounts", "N", { from: 2, to: 1000 }).pipe(
      Flag.withDescription("Begin with this many accounts, half of them sellers with stock; default: 6"),
      Flag.optional
    ),
    orders: wholeNumberFlag("orders", "N", { from: 1, to: 100_000 }).pipe(
      Flag.withDescription(
        "Let these accounts place this many orders, in every state, over 90 days; default: 48; without --accounts, there are 20"
      ),
      Flag.optional
    ),
    accountsFile: optionalText(
      "accounts-file",
      "FILE",
      "JSON file with the accounts to begin with: their names, keys and stock; then none are drawn"
    ),
    empty: switchFlag("empty", "Begin with the account of the key alone: no seller, no buyer, no orders"),
    record: optionalText(
      "record",
      "DIR",
      "Write a request and answer of every operation and a signed sample of each event, and end"
    ),
    from: optionalText("from", "FILE", "Serve what a marketplace answered to doctor --capture, and nothing else"),
    json: switchFlag("json", "Print one object {url, key, seller, buyer, listingId} once it is listening")
  },
  description: "Serve the marketplace API locally from a catalogue folder; its /openapi.json describes every operation",
  examples: [
    ["cardlake sandbox", "Serve the sample catalogue on a free port"],
    [
      "cardlake sandbox --catalogue data/sample --port 4600 --key secret --live last",
      "Serve a folder with its newest deployments live"
    ],
    ["cardlake sandbox --state market", "Keep accounts, stock and orders in a folder"],
    ["cardlake sandbox --synthetic 1000000 --json", "Serve a million made-up products"],
    ["cardlake sandbox --accounts 20 --orders 500 --seed 7", "Begin with more sellers, stock, buyers and orders"],
    ["cardlake sandbox --accounts-file accounts.json", "Begin with accounts of your own"],
    ["cardlake sandbox --record fixtures", "Write what every operation answers, and end"],
    ["cardlake sandbox --from capture.json", "Serve what a marketplace answered"],
    ["cardlake sandbox --odd", "Serve four records that the contract must refuse, too"],
    ["cardlake sandbox --live-prices frozen", "Serve every live price as the folder has it, whatever is sold"],
    ["cardlake sandbox --rate 60", "Answer 429 beyond 60 requests a minute"],
    [
      "cardlake sandbox --dialect live --rate 60 --rate-window sliding",
      "Answer in the live service's words, at its limit"
    ],
    ["cardlake sandbox --faults faults.json", "Make things go wrong as the file says"]
  ]
})

/** Runs ten nights on the built-in marketplace, one of them held and released, then two queries. */
export const demo = spec({
  name: "demo",
  flags: { home: optionalText("home", "DIR", "Folder for the demo's lake, replaced each time; default: data/demo") },
  description: "Play ten nights against the built-in sandbox marketplace and ask the lake",
  examples: [["cardlake demo", "Ends by itself and says how to look at the lake"]]
})
