import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, delimiter, dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { instructionsOf } from "../pipelines/containerfile.ts"
import { key, node, remove, root, startSandbox, temporaryFolder } from "../pipelines/cli.ts"
import { freePort } from "../support/freePort.ts"
import { packedIn } from "./installPackage.ts"

const image = instructionsOf(readFileSync(join(root, "pipelines/schedules/Containerfile"), "utf8"))
const of = (name: string): string => image.find((one) => one.name === name)?.rest ?? ""

/** Root starts its programs as the image's user; anybody else as himself. */
const user =
  process.getuid?.() === 0 ? { uid: Number(of("USER").split(":")[0]), gid: Number(of("USER").split(":")[1]) } : {}

/** The steps of the Containerfile in a folder that stands for `/`, because no container engine is here. */
describe("the image, step by step", () => {
  let all: string
  let slash: string
  let port: number
  let env: Record<string, string>
  let market: Awaited<ReturnType<typeof startSandbox>>

  /** Absolute paths of the image begin in the folder. */
  const inside = (text: string): string => text.replaceAll(/(?<![\w.:/])\/(?=(?:tmp|srv)\b)/g, `${slash}/`)
  const asUser = (words: ReadonlyArray<string>, more: Record<string, string> = {}) =>
    spawn(words[0] ?? "", words.slice(1), { cwd: inside(of("WORKDIR")), env: { ...env, ...more }, ...user })
  const codeOf = async (child: ChildProcess): Promise<number | null> => (await once(child, "close"))[0]
  const healthcheck = (): Promise<number | null> => {
    const words = JSON.parse(
      of("HEALTHCHECK")
        .replace(/^.* CMD /, "")
        .replace(":4701/", `:${port}/`)
    )
    return codeOf(asUser(words))
  }

  beforeAll(async () => {
    all = temporaryFolder()
    slash = join(all, "image")
    for (const folder of ["tmp", "prefix"]) mkdirSync(join(slash, folder), { recursive: true })
    for (const folder of [all, slash]) chmodSync(folder, 0o755)
    port = await freePort()
    market = await startSandbox()
    env = {
      PATH: [join(slash, "prefix/bin"), dirname(node), "/usr/bin", "/bin"].join(delimiter),
      HOME: slash,
      ...Object.fromEntries([inside(of("ENV")).split("=")])
    }

    const context = join(all, "context")
    mkdirSync(context)
    const tarball = packedIn(all)
    cpSync(tarball, join(context, basename(tarball)))
    const [pattern = "", to = ""] = of("COPY").split(" ")
    const copied = readdirSync(context).filter((name) => new RegExp(`^${pattern.replace("*", ".*")}$`).test(name))
    assert.strictEqual(copied.length, 1)
    cpSync(join(context, copied[0] ?? ""), inside(to))
    const npmEnv = { ...process.env, ...env, npm_config_prefix: join(slash, "prefix") }
    const run = user.uid === undefined ? of("RUN").replace(/ && chown \S+ \S+/, "") : of("RUN")
    const ran = spawnSync("sh", ["-c", inside(run)], { cwd: slash, env: npmEnv, encoding: "utf8" })
    assert.strictEqual(ran.status, 0, ran.stderr)
  }, 300_000)
  afterAll(async () => {
    await market.stop()
    remove(all)
  })

  it("has the command, and neither the tarball nor a cache", () => {
    assert.isTrue(existsSync(join(slash, "prefix/bin/cardlake")))
    assert.deepStrictEqual(readdirSync(join(slash, "tmp")), [])
  })

  it("keeps its schedule by default; its healthcheck is well even after a night that failed, until it ends", async () => {
    const words = [...JSON.parse(of("ENTRYPOINT")), ...JSON.parse(of("CMD"))] as ReadonlyArray<string>
    const everySecond = words.map((word) =>
      word === "4701" ? String(port) : word === "0 3 * * *" ? "* * * * * *" : word
    )
    assert.notStrictEqual(await healthcheck(), 0)
    const service = asUser(everySecond, { CARDLAKE_URL: market.url, CARDLAKE_API_KEY: "wrong" })
    let log = ""
    service.stderr.setEncoding("utf8").on("data", (text: string) => (log += text))
    while (!log.includes('"verdict":"failed"') && service.exitCode === null) await setTimeout(100)
    const codes = [await healthcheck(), (await fetch(`http://127.0.0.1:${port}/health`)).status]
    const closed = codeOf(service)
    service.kill("SIGTERM")
    await closed
    assert.deepStrictEqual([...codes, await healthcheck()], [0, 503, 1], log)
  })

  it("reads one night into its volume, as its user", async () => {
    const night = asUser(["cardlake", "nightly", "emberfall"], { CARDLAKE_URL: market.url, CARDLAKE_API_KEY: key })
    assert.strictEqual(await codeOf(night), 0)
    const { uid } = statSync(join(inside(of("VOLUME")), "lake.duckdb"))
    assert.strictEqual(uid, user.uid ?? process.getuid?.())
  })
})
