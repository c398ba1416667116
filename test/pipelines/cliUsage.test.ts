import { homeFormat } from "../../src/store/home/HomeMarker.ts"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ConfigProvider, Effect } from "effect"
import { detectPrinting } from "../../pipelines/print/hints.ts"
import { cardlake, json, root } from "./cli.ts"

const listedIn = (help: string): ReadonlyArray<string> =>
  [...help.slice(help.indexOf("SUBCOMMANDS\n")).matchAll(/^ {2}(\w+) {2,}\S.{20,}$/gm)].map((match) => match[1] ?? "")
const subcommands = listedIn((await cardlake(["--help"])).stdout)
const { hint } = await Effect.runPromise(
  detectPrinting(["--home", "H"]).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ npm_command: "x" })))
  )
)

describe.concurrent("--help", () => {
  it("lists the subcommands with what they do", () => {
    const promised = ["nightly", "diff", "snapshots", "runs", "query", "doctor", "sandbox", "demo"]
    assert.includeMembers([...subcommands], promised)
  })

  for (const name of subcommands) {
    it(`of ${name} shows what it does, its flags and an example`, async () => {
      const { code, stderr, stdout } = await cardlake([name, "--help"])
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      assert.match(stdout, /^DESCRIPTION\n {2}\S.{20,}\n/)
      assert.match(stdout, new RegExp(`^EXAMPLES\\n {2}# \\S.+\\n {2}cardlake ${name}\\b`, "m"))
      // Advice about init, pull and demo names a home that is not the one at hand.
      const takesHome = stdout.includes(" --home ") && !["init", "pull", "demo"].includes(name)
      const home = stdout.includes("SUBCOMMANDS") ? " A --home H" : takesHome ? " --home H A" : " A"
      assert.strictEqual(hint(`cardlake ${name} A`), `npx cardlake ${name}${home}`, "pipelines/print/hints.ts lists it")
      for (const flag of stdout.matchAll(/^ {2}--[\w-]+.*$/gm)) assert.match(flag[0], / {2,}\S.{10,}$/)
    })
  }

  it("--version prints the package's version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
    assert.include((await cardlake(["--version"])).stdout, version)
  })

  it("--version --json prints what else tells programs apart", async () => {
    const facts = json(await cardlake(["--version", "--json"])) as Record<string, unknown>
    const { dependencies, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly version: string
      readonly dependencies: Readonly<Record<string, string>>
    }
    assert.deepStrictEqual(facts, {
      version,
      contractVersion: facts["contractVersion"],
      homeFormat,
      node: process.versions.node,
      duckdb: `v${dependencies["@duckdb/node-api"]?.split("-")[0]}`,
      platform: `${process.platform}-${process.arch}`
    })
    assert.isTrue(Number.isInteger(facts["contractVersion"]))
  })
})

describe.concurrent("a wrong command line ends with exit code 2 and says on standard error what is wrong", () => {
  const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, says: RegExp]> = [
    [[], /SUBCOMMANDS/],
    [["nightlyy"], /Unknown subcommand "nightlyy"[\s\S]*nightly/],
    [["nightly", "--jsn"], /--jsn/],
    [["nightly", "--home"], /home/],
    [["query"], /Missing required argument: sql/],
    [["query", " "], /Expected a text that is not empty/],
    [["diff"], /Missing required argument: game/],
    [["release", "magic", "--why", "…"], /--why: "…"\. Expected a reason in words, not …/],
    [["rollback", "magic", "--why", " - "], /--why: " - "\. Expected a reason in words/],
    [["replay", "magic", "--why", "'…'"], /--why: "'…'"\. Expected a reason in words/],
    [["sandbox", "--live", "middle"], /live/],
    [["sandbox", "--empty", "--orders", "5"], /--empty and --orders exclude each other\. Leave out one/],
    [
      ["sandbox", "--record", "x", "--odd", "--state", "y"],
      /--record uses the sample and its own accounts\. Leave out --state, --odd/
    ],
    [
      ["sandbox", "--allow-host", "http://lake.example"],
      /--allow-host: "http:.*Expected a name without scheme and port/
    ],
    [["explore", "--allow-host", "*"], /Expected a name without scheme and port, such as lake\.example/],
    [["explore", "--allow-host", "lake.example:4700"], /Expected a name without scheme and port/],
    [
      ["export", "--to", "x", "--since", "2026-05-02", "--until", "2026-05-01"],
      /--since 2026-05-02 is after --until 2026-05-01\./
    ],
    [
      ["export", "--to", "gs://bucket/drop"],
      /--to: "gs:\/\/bucket\/drop"\. Expected a folder or s3:.* AWS_ENDPOINT_URL_S3/
    ],
    [["export", "--to", "x", "--since", "2026-02-30"], /--since: "2026-02-30"\. Expected a day such as/],
    [["doctor", "--max-age", "-1h"], /--max-age: "-1h"\. Expected a duration such as/],
    [["doctor", "--accept"], /--accept needs --repair\. Run: .*cardlake doctor --repair --accept/],
    [
      ["export", "--to", "x", "--verify", "magic", "--table", "products"],
      /--verify covers the whole export\. Leave out the games, --table/
    ],
    [
      ["export", "--to", "x", "--sql", "trino", "--until", "2026-05-01"],
      /--sql covers the whole export\. Leave out --until/
    ],
    [["export", "--to", "x", "--since", "auto", "--loaded", "y"], /--since auto needs --sql\. Give a day/],
    [
      ["export", "--to", "x", "--sql", "duckdb", "--since", "auto"],
      /--since auto, --loaded FILE and --sql need each other/
    ],
    [
      ["export", "--to", "x", "--sql", "duckdb", "--loaded", "y"],
      /--since auto, --loaded FILE and --sql need each other/
    ],
    [
      ["export", "--to", "x", "--sql", "athena", "--since", "auto", "--loaded", "y"],
      /athena reads the export's files in place\. Leave out --since and --loaded/
    ],
    [["export", "--to", "x", "--sql", "trino", "--dbt", "y"], /--sql and --dbt exclude each other\./],
    [["export", "--to", "x", "--format", "parquet"], /--format: "parquet"/],
    [["export", "--to", "x", "--sql", "mysql"], /--sql: "mysql"/],
    [["export", "--to", "S3://bucket"], /Expected a folder or s3:/],
    [["export", "--to", "~/drop"], /~ is not expanded/],
    [["export", "--to", ""], /--to\. Expected a folder or s3:/],
    [["nightly", "--export", "file:///srv/drop"], /--export: .* Expected a folder or s3:/],
    [
      ["export", "--to", "s3://bucket/lake", "--format", "ducklake"],
      /a database file, which a bucket cannot hold\. Export to a folder, or pass --format iceberg or delta/
    ],
    [
      ["query", "--parquet", "x.json", "from games"],
      /but x\.json has the extension of another format\. Use the extension \.parquet, or replace --parquet by: --json > x\.json$/m
    ],
    [["describe", "--markdown", "--json"], /^cardlake: Choose one of --json and --markdown$/m],
    [["query", "from games", "--file", "x.sql"], /^cardlake: Give a query or --file FILE, not both$/m],
    [["query", "from games", "--output", "x.txt"], /x\.txt has no known ending\. Use \.csv, \.json/],
    [["report", "-o", "x.pdf"], /^cardlake: --output x\.pdf has no known ending\. Use \.html, \.md or \.txt$/m],
    [
      ["schedule", "--cron", "0 6 * * *", "--report", "x.docx"],
      /^cardlake: --report x\.docx has no known ending\. Use \.html/m
    ],
    [["query", "from games", "--csv", "-o", "x.json"], /--csv writes CSV, but the extension of x\.json is not \.csv/],
    [
      ["query", "from games", "--json", "--line"],
      /Choose one of --json, --csv, --copy, --line, --parquet FILE and --output/
    ],
    [["query", "--parquet", "x.csv.gz", "from games"], /but x\.csv\.gz has .*\. Use the extension \.parquet$/m]
  ]
  for (const [args, says] of wrong) {
    it(`cardlake ${args.join(" ")}`, async () => {
      const ended = await cardlake(args)
      assert.strictEqual(ended.code, 2)
      assert.match(ended.stderr, says)
      if (!args.includes("--json")) assert.strictEqual(ended.stdout, "")
      // A wrong word is answered in three lines at most; the whole help is for those who ask for it.
      if (args.length > 0) assert.isAtMost(ended.stderr.trimEnd().split("\n").length, 3)
    })
  }

  for (const [flag, address, says] of [
    ["--to", "s3://AKIA4711:s3cr3t/k+y@bucket/lake", /--to: "s3:\/\/…"\. .*Keys do not belong in it/],
    ["--to", "s3://AKIA4711:s3cr3t", /--to: "s3:\/\/…"\. .*Keys do not belong in it/],
    ["--to", "s3://bucket/lake?s3_secret_access_key=s3cr3t", /without a question mark/],
    ["--to", " s3://AKIA4711:s3cr3t@bucket", /Expected a folder or s3:/],
    ["--to", "https://AKIA4711:s3cr3t@bucket", /Expected a folder or s3:/],
    ["--to", "s3://bucket/lake/../s3cr3t", /cannot contain \. or \.\./],
    ["--export", "s3://AKIA4711:s3cr3t@bucket/lake", /Keys do not belong in it/]
  ] as const) {
    it(`without repeating what may be a key in ${flag} ${address}`, async () => {
      const command = flag === "--to" ? "export" : "nightly"
      const ended = await cardlake([command, flag, address])
      assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
      assert.match(ended.stderr, says)
      if (!address.includes("..")) assert.notMatch(ended.stderr, /4711|s3cr3t/)
    })
  }
})

describe.concurrent("a flag with a wrong value ends with exit code 2 and says what is allowed", () => {
  const required: Readonly<Record<string, ReadonlyArray<string>>> = {
    backfill: ["magic"],
    changes: ["--since", "0"],
    diff: ["magic"],
    export: ["--to", "drop"],
    fx: ["rates.csv"],
    init: ["none"],
    move: ["--from", "s3://lakes/cards", "--to", "lake"],
    publish: ["2026-11-23-1"],
    pull: ["--to", "copy"],
    query: ["select 1"],
    release: ["magic"],
    replay: ["magic"],
    rollback: ["magic"],
    schedule: ["--cron", "0 3 * * *"],
    search: ["lotus"],
    worker: ["--cluster", "postgres://db/fleet"]
  }
  /** No flag takes an empty text, and no flag with a number takes these. */
  const wrongNumbers = ["-1", "many", "1e12", "NaN"]

  for (const name of subcommands) {
    it(`of ${name}`, async () => {
      const { stdout } = await cardlake([name, "--help"])
      const flags = stdout.slice(stdout.indexOf("\nFLAGS\n"), stdout.indexOf("\nGLOBAL FLAGS\n"))
      for (const [, flag = "", metavar = ""] of flags.matchAll(/^ {2}(--[\w-]+)(?: (\S+))?/gm)) {
        const given = required[name] ?? []
        const others = given.filter((one, at) => one !== flag && given[at - 1] !== flag)
        for (const value of ["", ...(/^(N|PORT|PERCENT|PRICE|SHARE)$/.test(metavar) ? wrongNumbers : [])]) {
          const ended = await cardlake([name, ...others, `${flag}=${value}`])
          assert.strictEqual(ended.code, 2, `${flag}=${value}`)
          assert.match(ended.stderr, new RegExp(`value for flag ${flag}[.:].* ?Expected`), ended.stderr)
          assert.notMatch(ended.stderr, /[Ss]chema|a string representing/)
        }
      }
    })
  }

  it("bounds a worker's name, which Postgres would not store", async () => {
    const { code, stderr } = await cardlake(["worker", "--cluster", "postgres://db/fleet", "--name", "n".repeat(300)])
    assert.strictEqual(code, 2)
    assert.include(stderr, "Expected a name of at most 100 characters")
  })

  it("names the bounds of a number", async () => {
    const { stderr } = await cardlake(["sandbox", "--port", "99999"])
    assert.include(stderr, 'Invalid value for flag --port: "99999". Expected a whole number from 0 to 65535\n')
  })

  it("takes no empty argument either", async () => {
    const ended = await cardlake(["release", ""])
    assert.strictEqual(ended.code, 2)
    assert.include(ended.stderr, 'Invalid value for argument <game>: "". Expected a text that is not empty')
  })
})

describe.concurrent("--home", () => {
  it("is named in the hints that are printed, quoted for a shell", async () => {
    const { stderr } = await cardlake(["runs", "--home", "/tmp/no such home"])
    assert.include(stderr, "Make one with: cardlake nightly --home '/tmp/no such home'; or")
  })

  it("is named in one word where it begins with a dash, as the command line takes it", async () => {
    const { stderr } = await cardlake(["runs", "--home=-lake"])
    assert.include(stderr, "Make one with: cardlake nightly --home=-lake; or")
  })

  it("is named after npx where npm started the program", async () => {
    const { stderr } = await cardlake(["runs", "--home", "lake"], { env: { npm_command: "exec" } })
    assert.include(stderr, "Make one with: npx cardlake nightly --home lake; or")
  })

  it("with a ~ that no shell has expanded is refused", async () => {
    const { code, stderr } = await cardlake(["runs", "--home=~/lake"])
    assert.strictEqual(code, 1)
    assert.match(stderr, /^cardlake: The home "~\/lake" cannot be used: only a shell expands ~/)
  })
})
