import { assert, describe, expect, it } from "@effect/vitest"
import { Cron, Result } from "effect"
import { spawnSync } from "node:child_process"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { cardlake, node, remove, root, temporaryFolder } from "./cli.ts"
import { pythonPrograms } from "../support/fetchedPrograms.ts"
import { type Unit, unitOf } from "./unitFile.ts"

const folder = join(root, "pipelines/schedules")
const read = (name: string): string => readFileSync(join(folder, name), "utf8")
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0
/** Comes with systemd. */
const verifier = "systemd-analyze"
const atThree = (expression: string | undefined): void => {
  const cron = Result.getOrThrow(Cron.parse(expression ?? "", "Europe/Zurich"))
  assert.deepStrictEqual([[...cron.hours], [...cron.minutes]], [[3], [0]])
}
const one = (unit: Unit, section: string, key: string): string | undefined => {
  const values = unit[section]?.[key] ?? []
  assert.isAtMost(values.length, 1, `${key} of ${section} stands there twice`)
  return values[0]
}

describe("the crontab", () => {
  const lines = read("crontab")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  const [, expression, command = ""] = /^((?:\S+ ){4}\S+) (.+)$/.exec(lines[0] ?? "") ?? []

  it("is one line at three", () => {
    assert.strictEqual(lines.length, 1)
    atThree(expression)
  })
  it("has no percent sign, which cron takes for a line break", () => assert.notInclude(command, "%"))
  it("is a command that the shell can read", () => {
    assert.strictEqual(spawnSync("sh", ["-n", "-c", command]).status, 0)
  })
})

describe("the systemd units", () => {
  const service = unitOf(read("cardlake.service"))
  const timer = unitOf(read("cardlake.timer"))

  it("are a service that runs once, with its settings from files", () => {
    assert.deepStrictEqual(Object.keys(service), ["Unit", "Service"])
    assert.strictEqual(one(service, "Service", "Type"), "oneshot")
    for (const key of ["User", "WorkingDirectory", "EnvironmentFile", "ExecStart", "TimeoutStartSec"]) {
      assert.isNotEmpty(one(service, "Service", key), key)
    }
    assert.match(one(service, "Service", "ExecStart") ?? "", /^\/\S+\/node pipelines\/main\.ts nightly /)
    assert.strictEqual(one(service, "Service", "ProtectSystem"), "strict")
    const home = /^CARDLAKE_HOME=(.+)$/.exec(one(service, "Service", "Environment") ?? "")?.[1]
    assert.strictEqual(one(service, "Service", "ReadWritePaths"), `-${home}`)
    assert.notInclude(read("cardlake.service"), "CARDLAKE_API_KEY=")
  })
  it("start status after a night that failed or was held", () => {
    const failed = unitOf(read("cardlake-failed.service"))
    assert.strictEqual(one(service, "Unit", "OnFailure"), "cardlake-failed.service")
    assert.match(one(failed, "Service", "ExecStart") ?? "", / pipelines\/main\.ts status$/)
    for (const key of ["User", "WorkingDirectory", "Environment"])
      assert.strictEqual(one(failed, "Service", key), one(service, "Service", key))
  })
  it("are a timer at three that catches up once", () => {
    assert.deepStrictEqual(Object.keys(timer), ["Unit", "Timer", "Install"])
    assert.strictEqual(one(timer, "Timer", "OnCalendar"), "*-*-* 03:00:00 Europe/Zurich")
    assert.strictEqual(one(timer, "Timer", "Persistent"), "true")
    assert.strictEqual(one(timer, "Install", "WantedBy"), "timers.target")
  })
  it.skipIf(!has(verifier))("pass systemd-analyze verify", () => {
    const copy = temporaryFolder()
    const unit = join(copy, "cardlake.service")
    writeFileSync(unit, read("cardlake.service").replace(/\/\S+\/node /, `${node} `))
    for (const name of ["cardlake.timer", "cardlake-failed.service"]) copyFileSync(join(folder, name), join(copy, name))
    const verified = spawnSync(verifier, ["verify", unit, join(copy, "cardlake.timer")], { encoding: "utf8" })
    remove(copy)
    assert.strictEqual(verified.status, 0, verified.stderr)
    assert.notInclude(verified.stderr, "cardlake.")
  })
})

describe("the CronJob", () => {
  const documents = parseAllDocuments(read("cronjob.yaml"), { strict: true, uniqueKeys: true })
  const [secret, claim, job] = documents.map((document) => document.toJS())
  const [container] = job.spec.jobTemplate.spec.template.spec.containers

  it("is YAML without a fault, with what a CronJob needs to be one", () => {
    assert.strictEqual(documents.length, 3)
    for (const document of documents) assert.deepStrictEqual([document.errors, document.warnings], [[], []])
    const [text, number] = [expect.any(String), expect.any(Number)]
    expect(job).toMatchObject({ apiVersion: "batch/v1", kind: "CronJob", metadata: { name: text } })
    expect(job.spec).toMatchObject({ startingDeadlineSeconds: number, jobTemplate: { spec: { backoffLimit: number } } })
    expect(container).toMatchObject({ image: text, args: ["nightly", text, text] })
  })
  it("runs at three, one night at a time", () => {
    atThree(job.spec.schedule)
    assert.deepInclude(job.spec, { timeZone: "Europe/Zurich", concurrencyPolicy: "Forbid" })
  })
  it("takes the key from the secret", () => {
    assert.strictEqual(secret.kind, "Secret")
    assert.deepStrictEqual(container.envFrom, [{ secretRef: { name: secret.metadata.name } }])
    assert.deepStrictEqual(Object.keys(secret.stringData), ["CARDLAKE_API_KEY"])
  })
  it("keeps the home on the volume", () => {
    expect(claim).toMatchObject({
      kind: "PersistentVolumeClaim",
      spec: { accessModes: [expect.any(String)], resources: expect.anything() }
    })
    const [mount] = container.volumeMounts
    assert.deepInclude(container.env, { name: "CARDLAKE_HOME", value: mount.mountPath })
    assert.deepStrictEqual(job.spec.jobTemplate.spec.template.spec.volumes, [
      { name: mount.name, persistentVolumeClaim: { claimName: claim.metadata.name } }
    ])
  })
  it("does not repeat a wrong command line or a night that was held", () => {
    const onExitCodes = { containerName: container.name, operator: "In", values: [2, 3] }
    expect(job.spec.jobTemplate.spec).toMatchObject({
      podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes }] },
      // A failure policy requires it.
      template: { spec: { restartPolicy: "Never" } }
    })
  })
})

/** Prints what a DAG says, read as a syntax tree: Airflow is not needed. */
const dagReader = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1]).read())
calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
literal = lambda node: node.value if isinstance(node, ast.Constant) else ast.unparse(node)
print(json.dumps({call.func.id: {word.arg: literal(word.value) for word in call.keywords} for call in calls}))
`

describe("the Airflow DAGs", () => {
  for (const [file, operator] of [
    ["airflow_dag.py", "BashOperator"],
    ["airflow_kubernetes_dag.py", "KubernetesPodOperator"]
  ] as const) {
    it.skipIf(!has("python3"))(`${file} is Python that runs one night at a time, at three`, () => {
      const { status, stderr, stdout } = spawnSync("python3", ["-c", dagReader, join(folder, file)], {
        encoding: "utf8"
      })
      assert.strictEqual(status, 0, stderr)
      const calls = JSON.parse(stdout) as Readonly<Record<string, Readonly<Record<string, unknown>>>>
      atThree(String(calls["DAG"]?.["schedule"]))
      assert.deepInclude(calls["DAG"], { catchup: false, max_active_runs: 1 })
      assert.match(String(calls["DAG"]?.["start_date"]), /tz='Europe\/Zurich'/)
      assert.deepInclude(calls[operator], { task_id: "nightly", retries: 2 })
      assert.include(JSON.stringify(calls[operator]), "nightly")
      assert.include(readFileSync(join(folder, file), "utf8"), "CARDLAKE_API_KEY")
    })
  }
})

describe("the Job with an index for every game", () => {
  const documents = parseAllDocuments(read("indexed_job.yaml"), { strict: true, uniqueKeys: true })
  const ofKind = (kind: string) => documents.map((one) => one.toJS()).find((one) => one.kind === kind)
  const { spec } = ofKind("CronJob")
  const template: string = ofKind("ConfigMap").data["games.yaml"]
  const night = "2026-11-23-1"
  const games = parseAllDocuments(template.replace("NIGHT", night), { strict: true, uniqueKeys: true })
  const job = games[0]?.toJS()
  const [container] = job.spec.template.spec.containers
  const pod = spec.jobTemplate.spec.template.spec
  const steps: ReadonlyArray<{ readonly name: string; readonly command: ReadonlyArray<string> }> = [
    ...pod.initContainers,
    ...pod.containers
  ]

  it("is YAML without a fault, at three, one night at a time", () => {
    assert.deepStrictEqual([documents.length, games.length], [6, 1])
    for (const document of [...documents, ...games])
      assert.deepStrictEqual([document.errors, document.warnings], [[], []])
    atThree(spec.schedule)
    assert.deepInclude(spec, { timeZone: "Europe/Zurich", concurrencyPolicy: "Forbid" })
  })
  it("plans, starts a Job that is called by the night, and publishes", () => {
    assert.deepStrictEqual(
      steps.map(({ name }) => name),
      ["plan", "start", "publish"]
    )
    assert.match(steps[1]?.command.at(-1) ?? "", /^sed "s\/NIGHT\/.*\/g" .* \| kubectl apply -f -$/)
    assert.match(`cardlake-${night}-31`, /^[a-z0-9-]{1,63}$/)
    expect(job).toMatchObject({ apiVersion: "batch/v1", kind: "Job", metadata: { name: `cardlake-${night}` } })
    for (const { command } of steps) assert.strictEqual(spawnSync("sh", ["-n", "-c", command.at(-1) ?? "("]).status, 0)
    expect(pod).toMatchObject({ restartPolicy: "Never", serviceAccountName: expect.any(String) })
  })
  it("reads the game of each index, and tries it again by itself unless a person has to look", () => {
    const given = ["nightly", "--part-of", "NIGHT", "--index", "$(JOB_COMPLETION_INDEX)"]
    assert.deepStrictEqual(container.args.slice(0, 5), given)
    const rule = (action: string, containerName: string, ...values: ReadonlyArray<number>) => ({
      rules: [{ action, onExitCodes: { containerName, operator: "In", values } }]
    })
    expect(job.spec).toMatchObject({
      completionMode: "Indexed",
      parallelism: expect.any(Number),
      backoffLimitPerIndex: expect.any(Number),
      podFailurePolicy: rule("FailIndex", container.name, 2, 3),
      template: { spec: { restartPolicy: "Never" } }
    })
    assert.isAtLeast(job.spec.maxFailedIndexes, job.spec.completions)
    expect(spec.jobTemplate.spec.podFailurePolicy).toMatchObject(rule("FailJob", pod.containers[0].name, 2, 3, 4))
  })
})

/** Prints the tasks of the DAGs in a folder, as Airflow itself reads them. */
const dagBag = `
import json, sys
from airflow.dag_processing.dagbag import DagBag
bag = DagBag(sys.argv[1])
tasks = {dag.dag_id: {task.task_id: sorted(task.downstream_task_ids) for task in dag.tasks} for dag in bag.dags.values()}
print(json.dumps({"errors": bag.import_errors, "tasks": tasks, "codes": bag.dags["cardlake_parts"].get_task("nightly").partial_kwargs["skip_on_exit_code"]}))
`

const airflow = pythonPrograms("airflow", "apache-airflow==3.*")

describe("Airflow", () => {
  it.skipIf(airflow === null)(
    "reads the DAGs: a mapped task for every game between the plan and the publication",
    () => {
      const work = temporaryFolder()
      for (const file of ["airflow_dag.py", "airflow_parts_dag.py"]) copyFileSync(join(folder, file), join(work, file))
      const env = { ...process.env, AIRFLOW_HOME: join(work, "home"), AIRFLOW__CORE__LOAD_EXAMPLES: "False" }
      const { stderr, stdout } = spawnSync(join(airflow ?? "", "python"), ["-c", dagBag, work], {
        encoding: "utf8",
        env
      })
      remove(work)
      const found = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<"errors" | "tasks" | "codes", unknown>
      assert.deepStrictEqual(
        found,
        {
          errors: {},
          tasks: {
            cardlake: { nightly: [] },
            cardlake_parts: {
              plan: ["games", "night"],
              night: ["nightly"],
              games: ["nightly"],
              nightly: ["publish"],
              publish: []
            }
          },
          codes: 3
        },
        stderr
      )
    }
  )

  it("is told to run one night at a time, at three", () => {
    const dag = read("airflow_parts_dag.py")
    atThree(/schedule="([^"]+)"/.exec(dag)?.[1] ?? "")
    assert.match(dag, /tz="Europe\/Zurich"\),\n    catchup=False,\n    max_active_runs=1,/)
  })
})

describe("every snippet", () => {
  it("calls nightly with flags that nightly has", async () => {
    const { stdout } = await cardlake(["nightly", "--help"])
    // These start the service, keep their own schedule, or watch it.
    const others = new Set([
      "cardlake.timer",
      "cardlake-failed.service",
      "Containerfile",
      "alerts.yaml",
      "grafana.json"
    ])
    for (const name of readdirSync(folder).filter((name) => !others.has(name))) {
      const calls = read(name)
        .split("\n")
        .filter((line) => /\bnightly\b.*--/.test(line))
      assert.strictEqual(calls.length, 1, name)
      assert.match(read(name), /pipelines\/main\.ts nightly|(args: |arguments=)\["?nightly/, name)
      for (const [flag] of (calls[0] ?? "").matchAll(/--[a-z-]+/g)) assert.include(stdout, ` ${flag}`, name)
    }
  })

  it("is in the guide, whichever it is", () => {
    const page = readFileSync(join(root, "pipelines/guide/schedules.md"), "utf8")
    for (const name of readdirSync(folder)) assert.include(page, `(../schedules/${name})`)
  })
})
