import { folderHere, tinySandboxHere } from "../support/place.ts"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { assertFault, cardlake, json, key, main, node, start, startSandbox } from "./cli.ts"
import { unitOf } from "./unitFile.ts"
import { isFull } from "../tried.ts"

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0
/** Comes with systemd. */
const verifier = "systemd-analyze"
/** Comes with util-linux: it gives a program a terminal. */
const terminalProgram = "script"
const names = [".env", "cardlake-failed.service", "cardlake.service", "cardlake.timer", "cronjob.yaml", "crontab"]

const all = folderHere()
const market = await tinySandboxHere("emberfall")

describe("cardlake init", () => {
  const init = (folder: string, args: ReadonlyArray<string>, env: Record<string, string> = { CARDLAKE_API_KEY: key }) =>
    cardlake(["init", folder, ...args], { cwd: all, env })
  const read = (folder: string, name: string) => readFileSync(join(all, folder, name), "utf8")

  describe("in a folder with a difficult name, at four in Zurich", () => {
    const folder = "50% of Bo's $HOME"
    let printed: string
    beforeAll(async () => {
      const ended = await init(folder, ["--url", market.url, "--hour", "4", "--tz", "Europe/Zurich"])
      assert.deepStrictEqual([ended.code, ended.stderr], [0, ""])
      printed = ended.stdout
    })

    it("writes the settings for its user alone, and the schedule files", () => {
      assert.deepStrictEqual(readdirSync(join(all, folder)).toSorted(), [...names, "lake"])
      assert.strictEqual(statSync(join(all, folder, ".env")).mode & 0o777, 0o600)
      for (const name of names.slice(1)) assert.notInclude(read(folder, name), key)
    })
    it("systemd gets a unit of this user that may write to the lake, and a timer", () => {
      const service = unitOf(read(folder, "cardlake.service"))["Service"]
      const written = join(all, folder).replace("%", "%%")
      assert.deepStrictEqual(service?.["WorkingDirectory"], [written])
      assert.deepStrictEqual(service?.["ReadWritePaths"], [`"-${written}/lake"`])
      assert.deepStrictEqual(service?.["User"], [spawnSync("id", ["-un"], { encoding: "utf8" }).stdout.trim()])
      assert.isUndefined(service?.["EnvironmentFile"])
      const timer = unitOf(read(folder, "cardlake.timer"))["Timer"]
      assert.deepStrictEqual(timer?.["OnCalendar"], ["*-*-* 04:00:00 Europe/Zurich"])
    })
    it.skipIf(!has(verifier))("systemd finds no fault with them", () => {
      const units = ["cardlake.service", "cardlake-failed.service", "cardlake.timer"].map((name) =>
        join(all, folder, name)
      )
      const { status, stderr } = spawnSync(verifier, ["verify", ...units], { encoding: "utf8" })
      assert.deepStrictEqual([status, stderr.match(/cardlake\..*/g)], [0, null])
    })
    it("Kubernetes gets the claim and the CronJob, without a key in it", () => {
      const [claim, job] = parseAllDocuments(read(folder, "cronjob.yaml")).map((document) => document.toJS())
      assert.strictEqual(claim.kind, "PersistentVolumeClaim")
      assert.deepInclude(job.spec, { schedule: "0 4 * * *", timeZone: "Europe/Zurich" })
      const [container] = job.spec.jobTemplate.spec.template.spec.containers
      assert.deepInclude(container.env, { name: "CARDLAKE_URL", value: market.url })
    })
    it("prints the lines that install them, and runs none", () => {
      for (const text of ["systemctl enable --now cardlake.timer", "| crontab -", "kubectl apply -f "])
        assert.include(printed, text)
    })
    it("its crontab line is added once, however often the printed line is run", () => {
      const [line = ""] = printed.match(/^ *\(crontab .*$/m) ?? []
      const stored = join(all, "crontab of this user")
      // `crontab -l` prints the table, `crontab -` replaces it.
      const fake = `crontab() { if [ "$1" = -l ]; then cat "${stored}"; else cat > "${stored}.new" && mv "${stored}.new" "${stored}"; fi; }`
      writeFileSync(stored, "5 5 * * * mine\n")
      for (const _ of [1, 2]) spawnSync("sh", ["-c", `${fake}\n${line}`])
      assert.strictEqual(readFileSync(stored, "utf8"), `5 5 * * * mine\n${read(folder, "crontab")}`)
    })
    it("status knows the next night from its .env, and no rates are loaded from outside for a marketplace here", async () => {
      const { findings } = JSON.parse((await cardlake(["status", "--json"], { cwd: join(all, folder) })).stdout)
      const next = findings.find(({ name }: { readonly name: string }) => name === "next night")
      assert.match(next.says, /^\d{4}-\d\d-\d\d 04:00 Europe\/Zurich \(0[23]:00 UTC\), in /)
      assert.notInclude(read(folder, ".env"), "CARDLAKE_FX")
    })
    it("leaves what is there, and shows the difference but no key", async () => {
      const before = names.map((name) => read(folder, name))
      const other = "another-key-that-it-takes"
      const second = await startSandbox({ key: other })
      writeFileSync(join(all, folder, "cronjob.yaml"), `${before[4]}  CARDLAKE_API_KEY: put-there-by-hand\n`)
      const ended = await init(folder, ["--url", second.url, "--hour", "5", "--tz", "Europe/Zurich", "--home", "new"], {
        CARDLAKE_API_KEY: other
      })
      await second.stop()
      assert.strictEqual(ended.code, 0, ended.stderr)
      for (const [at, name] of names.entries()) if (at !== 4) assert.strictEqual(read(folder, name), before[at])
      assert.match(ended.stdout, /there: +OnCalendar=.* 04:00:00 .*\n.*would be: +OnCalendar=.* 05:00:00 /)
      assert.match(ended.stdout, /there: +CARDLAKE_API_KEY is another key\n/)
      assert.include(ended.stdout, `would be:  CARDLAKE_URL is ${second.url}`)
      for (const secret of [key, other, "put-there-by-hand"]) assert.notInclude(ended.stdout, secret)
      assert.isFalse(existsSync(join(all, "new")))
    })
  })

  it.each(["line\nExecStartPre=true", "return\r", "tab\t", "blank ", "slash\\"])(
    "refuses a folder %j",
    async (name) => {
      const before = readdirSync(all)
      const ended = await init(name, ["--url", market.url])
      assert.strictEqual(ended.code, 2)
      assert.match(ended.stderr, /A path in a schedule file cannot contain control characters/)
      assert.deepStrictEqual(readdirSync(all), before)
    }
  )

  it("a second time, with the settings of its .env, everything is as it would be written", async () => {
    const at = ["--url", market.url, "--tz", "UTC", "--json"]
    json(await init("again", at))
    const { files } = json(await init("again", at.slice(2), {})) as { files: ReadonlyArray<{ state: string }> }
    assert.deepStrictEqual(
      files.map(({ state }) => state),
      names.map(() => "same")
    )
  })

  it.runIf(isFull)("takes the key from standard input, and its crontab line runs a night", async () => {
    const script = `printf '%s\\n' ${key} | "$0" "$@"`
    const args = ["-c", script, node, main, "init", "piped", "--url", market.url, "--tz", "Asia/Kolkata"]
    const { code, stderr } = await start("sh", args, { cwd: all }).ended
    assert.deepStrictEqual([code, stderr], [0, ""])
    const [line = ""] = read("piped", "crontab").match(/^\d.*$/m) ?? []
    const night = await start("sh", ["-c", line.replace(/^(\S+ ){5}/, "")], { cwd: all }).ended
    assert.strictEqual(night.code, 0, night.stderr)
    assert.strictEqual(JSON.parse(read("piped", "nights.jsonl")).verdict, "published")
  })

  it.skipIf(!isFull || !has(terminalProgram))(
    "asks on a terminal, and does not show the key that is typed",
    async () => {
      const command = `"${node}" "${main}" init asked`
      const terminal = spawn(terminalProgram, ["-qec", command, "/dev/null"], {
        cwd: all,
        stdio: ["pipe", "pipe", "inherit"]
      })
      let shown = ""
      const answers = [
        ["Address of the marketplace", market.url],
        ["API key", key],
        ["Folder of the lake", ""],
        ["Hour of the nightly run", "6"],
        ["Time zone", "Europe/Zurich"]
      ] as const
      let answered = 0
      terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
        shown += text
        const [question, answer] = answers[answered] ?? ["\0", ""]
        if (!shown.includes(question)) return
        answered++
        // Ctrl-U removes what is proposed.
        terminal.stdin.write(answer === "" ? "\r" : `\u0015${answer}\r`)
      })
      const timer = setTimeout(() => terminal.kill(), 100_000)
      const code = (await once(terminal, "close"))[0]
      clearTimeout(timer)
      assert.strictEqual(code, 0, shown)
      assert.notInclude(shown, key)
      assert.include(read("asked", ".env"), `CARDLAKE_API_KEY=${key}\n`)
      assert.include(read("asked", "cardlake.timer"), "*-*-* 06:00:00 Europe/Zurich")
      assert.isTrue(existsSync(join(all, "asked/lake/cardlake.json")))
    }
  )

  describe("writes nothing", () => {
    afterAll(() => assert.isFalse(existsSync(join(all, "none"))))

    it("without a terminal, if nobody says the address and the key: it names both", async () => {
      const sentence = /^cardlake: Missing: .*--url or CARDLAKE_URL.* and the key \(CARDLAKE_API_KEY, or standard input/
      assertFault(await init("none", [], {}), 2, sentence)
    })
    it("if the marketplace refuses the key", async () => {
      const ended = await init("none", ["--url", market.url], { CARDLAKE_API_KEY: "another-key" })
      assert.strictEqual(ended.code, 1)
      assert.match(ended.stdout, /^BAD {2}marketplace +The marketplace refused the API key/m)
      assert.match(ended.stderr, /^cardlake: Nothing was written to .*none\. /)
    })
    it("into a home", async () => {
      mkdirSync(join(all, "home"))
      writeFileSync(join(all, "home/cardlake.json"), "{}")
      assertFault(
        await init("home", ["--url", market.url]),
        2,
        /^cardlake: .*home is the home, which contains only the lake/
      )
      assertFault(
        await init("none", ["--url", market.url, "--home", "none"]),
        2,
        /is the home, which contains only the lake/
      )
      assert.deepStrictEqual(readdirSync(join(all, "home")), ["cardlake.json"])
    })
  })
})
