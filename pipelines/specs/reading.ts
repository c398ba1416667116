import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import {
  allowHost,
  choiceFlag,
  home,
  json,
  line,
  optionalArgument,
  optionalText,
  portFlag,
  spreadsheet,
  switchFlag,
  textArgument,
  textFlag,
  wholeNumberFlag,
  withCollection
} from "../flags/sharedFlags.ts"
import { spec } from "./spec.ts"

export const describe = spec({
  name: "describe",
  flags: {
    name: optionalArgument("name", "Table, view or macro; default: all of them"),
    markdown: switchFlag("markdown", "Print the data dictionary"),
    er: switchFlag("er", "Print the keys of all tables as an entity-relationship diagram in Mermaid"),
    home,
    json
  },
  description: "Explain every table, view and macro of the lake",
  examples: [
    ["cardlake describe", "All of them, a line each"],
    ["cardlake describe movers", "Columns, types, parameters and an example"],
    ["cardlake describe --markdown", "The data dictionary"],
    ["cardlake describe --er", "How the tables refer to each other, for a page that draws Mermaid"]
  ]
})

export const query = spec({
  name: "query",
  flags: {
    sql: optionalArgument("sql", "One SQL query over the lake's tables; - reads it from standard input"),
    file: textFlag("file", "FILE", "Read the query from a file; - is standard input").pipe(
      Flag.withAlias("f"),
      Flag.optional
    ),
    home,
    json,
    csv: switchFlag("csv", "Print CSV with a header line, every text exactly as the feed has it"),
    copy: switchFlag("copy", "Print rows in the text format of Postgres' COPY, without a header line"),
    line,
    spreadsheet,
    output: textFlag(
      "output",
      "FILE",
      "Write the result to a file; its ending sets the format: .csv, .json or .parquet"
    ).pipe(Flag.withAlias("o"), Flag.optional),
    parquet: optionalText("parquet", "FILE", "Write the result to a Parquet file of any name"),
    allowFiles: switchFlag("allow-files", "Allow the query to read and write files, and all else that DuckDB can")
  },
  description: "Query the lake in SQL: print a readable table, exact JSON or CSV, or write a file",
  examples: [
    ['cardlake query "from snapshots"', "What is published"],
    ['cardlake query --line "from products limit 1"', "A whole record, one line per column"],
    ['cardlake query --csv "select product_id, low from source_prices"', "Lowest prices as CSV"],
    ["cardlake query -f prices.sql -o prices.csv", "A query from a file into another file"],
    ['cardlake query --output /tmp/changes.parquet "from changes"', "A result for another tool"],
    [
      `cardlake query --allow-files "from products join 'my.csv' using (product_id)"`,
      "Join the lake with your own file"
    ]
  ]
})

export const changes = spec({
  name: "changes",
  flags: {
    since: wholeNumberFlag("since", "N", { from: 0, to: 100_000_000_000 }).pipe(
      Flag.withDescription("The last publication that you have; 0: everything from the first one on")
    ),
    run: optionalText("run", "RUN", "The run in the last line that you have: another data directory starts again"),
    games: optionalText("games", "GAME,GAME", "Ids of games; default: every game"),
    format: choiceFlag("format", ["ndjson", "csv", "parquet"], "Format; default: ndjson").pipe(
      Flag.withDefault("ndjson" as const)
    ),
    output: textFlag("output", "FILE", "Write the entries to a file; csv and parquet need one").pipe(
      Flag.withAlias("o"),
      Flag.optional
    ),
    follow: switchFlag("follow", "Wait for the next publications until interrupted"),
    home
  },
  description: "Print what every publication since number N changed, as a feed for another program",
  examples: [
    ["cardlake changes --since 0", "Everything from the first publication on; the last line has the next N"],
    ["cardlake changes --since 57 --games emberfall --follow", "What changes in a game, as it is published"],
    ["cardlake changes --since 57 --format parquet -o changes.parquet", "As a file of flat rows"]
  ]
})

export const search = spec({
  name: "search",
  flags: {
    words: textArgument(
      "words",
      "Parts of a name in any language, a code and number, an id, filters such as set:mh2 'price>20'"
    ).pipe(Argument.variadic({ min: 1 })),
    game: optionalText("game", "GAME", "One game's id; default: all games"),
    most: wholeNumberFlag("most", "N", { from: 1, to: 10_000 }).pipe(
      Flag.withDescription("How many products to list"),
      Flag.withDefault(20)
    ),
    home,
    json
  },
  description: "Find products by name, number or id: best match first, with market value and 7-day change",
  examples: [
    ["cardlake search lotus, black", "Words in any order, with or without accents and signs"],
    ["cardlake search mh2 138", "The code of a set and a number"],
    [`cardlake search "set:mh2 finish:foil rarity:m price>20"`, "Filters; kind:sealed is another"],
    ["cardlake search --json 4000000000055", "An id of any system, or a bar code, as JSON"]
  ]
})

export const report = spec({
  name: "report",
  flags: {
    format: choiceFlag("format", ["markdown", "html"], "Format; default: by the file's ending, else Markdown").pipe(
      Flag.optional
    ),
    output: textFlag("output", "FILE", "Write it to a file, such as morning.html").pipe(
      Flag.withAlias("o"),
      Flag.optional
    ),
    home,
    json
  },
  description: "Morning report: price moves, held games, your cards, watched prices",
  examples: [
    ["cardlake report", "As Markdown on standard output"],
    ["cardlake report -o morning.html", "As one HTML file to mail"]
  ]
})

export const explore = spec({
  name: "explore",
  flags: {
    port: portFlag("port", "Port on 127.0.0.1; default: 4700; 0 picks a free one").pipe(Flag.optional),
    allowHost,
    images: switchFlag("images", "Show card pictures: the program downloads and caches those that a page needs"),
    folder: optionalText("export", "DIR", "Start no server: write the pages into this folder as a static site"),
    games: textFlag("game", "GAME", "With --export: a game, repeatable; default: every game").pipe(Flag.atLeast(0)),
    sets: textFlag("set", "SET", "With --export: a set by its code or id, repeatable; default: every set").pipe(
      Flag.atLeast(0)
    ),
    products: wholeNumberFlag("products", "N", { from: 0, to: 10_000_000 }).pipe(
      Flag.withDescription("With --export: product pages per game, most expensive first; default: 200"),
      Flag.optional
    ),
    withCollection,
    home,
    json
  },
  description: "Browse the lake: read-only pages on this machine",
  examples: [
    ["cardlake explore", "Serve the pages at http://127.0.0.1:4700"],
    ["cardlake explore --export /srv/www/cards --game emberfall", "The pages of a game as files for a web server"],
    ["cardlake explore --port 0 --json", "On a free port; prints {url} once it is listening"]
  ]
})

export const serve = spec({
  name: "serve",
  flags: {
    port: portFlag("port", "Port to listen on; default: 4800; 0 picks a free one").pipe(Flag.withDefault(4800)),
    host: textFlag("host", "ADDRESS", "Address to listen on; default: 127.0.0.1. Others need the next two flags").pipe(
      Flag.withDefault("127.0.0.1")
    ),
    tokenFile: optionalText(
      "token-file",
      "FILE",
      "File with a token of at least 128 bits that every request needs; then there are no pages"
    ),
    allowHost,
    withCollection,
    home,
    json
  },
  description: "Serve the lake to other programs: changes, tables, products, assistants, and its pages on this machine",
  examples: [
    ["cardlake serve", "On this machine: http://127.0.0.1:4800/v1/changes?since=0, described by /openapi.json"],
    [
      "cardlake serve --host 0.0.0.0 --token-file token.txt --allow-host lake.example",
      "To other machines: with a token, without pages"
    ]
  ]
})

export const mcp = spec({
  name: "mcp",
  flags: { withCollection, home },
  description: "Let an assistant ask the lake: the Model Context Protocol on standard input and output",
  examples: [
    ["cardlake mcp --home data/lake", "The command that an assistant's settings name"],
    ["cardlake mcp --with-collection", "The assistant may read your own cards, too"]
  ]
})

export const fx = spec({
  name: "fx",
  flags: {
    source: optionalArgument(
      "source",
      "CSV of the European Central Bank's euro reference rates, or its zip: a file, or an http(s) address; default: CARDLAKE_FX"
    ),
    daily: switchFlag("daily", "Do nothing if rates were loaded today, as a night does with CARDLAKE_FX"),
    home,
    json
  },
  description: "Load the European Central Bank's exchange rates; without them nothing is converted",
  examples: [
    ["cardlake fx eurofxref-hist.zip", "All days since 1999, from the download"],
    ["cardlake fx --daily", "From the address in CARDLAKE_FX, once a day"],
    ["cardlake fx https://example.com/rates.csv --json", "From an address, as JSON"]
  ]
})
