import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cardlake, root, startCardlake } from "./cli.ts"

const listedIn = (help: string): ReadonlyArray<string> =>
  [...help.slice(help.indexOf("SUBCOMMANDS\n")).matchAll(/^ {2}(\w+) {2,}\S.{20,}$/gm)].map((match) => match[1] ?? "")
const subcommands = listedIn((await cardlake(["--help"])).stdout)

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
      for (const flag of stdout.matchAll(/^ {2}--[\w-]+.*$/gm)) assert.match(flag[0], / {2,}\S.{10,}$/)
    })
  }

  it("--version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
    assert.include((await cardlake(["--version"])).stdout, version)
  })
})

describe.concurrent("a wrong command line ends with exit code 2 and says on standard error what is wrong", () => {
  const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, says: RegExp]> = [
    [[], /SUBCOMMANDS/],
    [["nightlyy"], /Unknown subcommand "nightlyy"[\s\S]*nightly/],
    [["nightly", "--jsn"], /--jsn/],
    [["nightly", "--home"], /home/],
    [["query"], /Missing required argument: sql/],
    [["diff"], /Missing required argument: game/],
    [["sandbox", "--port", "seven"], /port/],
    [["sandbox", "--port", "70000"], /port/],
    [["sandbox", "--live", "middle"], /live/],
    [["runs", "--home", ""], /home/],
    [
      ["export", "--to", "x", "--since", "2026-05-02", "--until", "2026-05-01"],
      /--since 2026-05-02 is after --until 2026-05-01\./
    ],
    [
      ["export", "--to", "gs://bucket/drop"],
      /--to: "gs:\/\/bucket\/drop"\. Expected a folder or s3:.* AWS_ENDPOINT_URL_S3/
    ],
    [["export", "--to", "x", "--format", "parquet"], /--format: "parquet"/],
    [["export", "--to", "x", "--sql", "mysql"], /--sql: "mysql"/],
    [["export", "--to", "S3://bucket"], /Expected a folder or s3:/],
    [["export", "--to", "~/drop"], /only a shell expands ~/],
    [["export", "--to", ""], /--to\. Expected a folder or s3:/],
    [["nightly", "--export", "file:///srv/drop"], /--export: .* Expected a folder or s3:/],
    [
      ["export", "--to", "s3://bucket/lake", "--format", "ducklake"],
      /a database, which a bucket cannot be\. Export it to a folder, or give --format iceberg or delta/
    ],
    [["query", "--parquet", "x.csv", "from games"], /writes Parquet, but x\.csv has another format's name/]
  ]
  for (const [args, says] of wrong) {
    it(`cardlake ${args.join(" ")}`, async () => {
      const ended = await cardlake(args)
      assert.strictEqual(ended.code, 2)
      assert.match(ended.stderr, says)
      assert.strictEqual(ended.stdout, "")
      // A wrong word is told in some lines; the whole help is for who asks for it.
      if (args.length > 0) assert.isBelow(ended.stderr.split("\n").length, 15)
    })
  }

  it("that a shell sees", async () => {
    const ended = await startCardlake(["query"]).ended
    assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
    assert.match(ended.stderr, /Missing required argument: sql/)
  })
})

describe.concurrent("--home", () => {
  it("is named by the hints that are printed, as a shell takes it", async () => {
    const { stdout } = await cardlake(["runs", "--home", "/tmp/no such home"])
    assert.strictEqual(stdout, "No runs yet. Start the first with: cardlake nightly --home '/tmp/no such home'\n")
  })

  it("of ~ is no folder of that name", async () => {
    const { code, stderr } = await cardlake(["runs", "--home=~/lake"])
    assert.strictEqual(code, 1)
    assert.match(stderr, /^cardlake: The home "~\/lake" cannot be used: only a shell expands ~/)
  })
})
