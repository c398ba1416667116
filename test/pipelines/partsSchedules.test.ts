import { assert, describe, it } from "@effect/vitest"
import { Cron, Result, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { remove, root, temporaryFolder } from "./cli.ts"

const folder = join(root, "pipelines/schedules")
const read = (name: string): string => readFileSync(join(folder, name), "utf8")
const atThree = (expression: string): void => {
  const cron = Result.getOrThrow(Cron.parse(expression, "Europe/Zurich"))
  assert.deepStrictEqual([[...cron.hours], [...cron.minutes]], [[3], [0]])
}
const Named = Schema.Struct({ name: Schema.NonEmptyString })

/** A container of the Job with an index for every game, and of the pod that plans and publishes. */
const Step = Schema.Struct({
  name: Schema.String,
  command: Schema.optionalKey(Schema.Array(Schema.String)),
  args: Schema.optionalKey(Schema.Array(Schema.String))
})
const Policy = Schema.Struct({
  rules: Schema.Array(
    Schema.Struct({
      action: Schema.String,
      onExitCodes: Schema.Struct({
        containerName: Schema.String,
        operator: Schema.Literal("In"),
        values: Schema.Array(Schema.Int)
      })
    })
  )
})
const IndexedJob = Schema.Struct({
  apiVersion: Schema.Literal("batch/v1"),
  kind: Schema.Literal("Job"),
  metadata: Named,
  spec: Schema.Struct({
    completionMode: Schema.Literal("Indexed"),
    completions: Schema.Int,
    parallelism: Schema.Int,
    backoffLimitPerIndex: Schema.Int,
    maxFailedIndexes: Schema.Int,
    podFailurePolicy: Policy,
    template: Schema.Struct({
      spec: Schema.Struct({ restartPolicy: Schema.Literal("Never"), containers: Schema.Array(Step) })
    })
  })
})
const PartsCronJob = Schema.Struct({
  kind: Schema.Literal("CronJob"),
  spec: Schema.Struct({
    schedule: Schema.String,
    timeZone: Schema.Literal("Europe/Zurich"),
    concurrencyPolicy: Schema.Literal("Forbid"),
    jobTemplate: Schema.Struct({
      spec: Schema.Struct({
        podFailurePolicy: Policy,
        template: Schema.Struct({
          spec: Schema.Struct({
            restartPolicy: Schema.Literal("Never"),
            serviceAccountName: Schema.String,
            initContainers: Schema.Array(Step),
            containers: Schema.Array(Step)
          })
        })
      })
    })
  })
})

describe("the Job with an index for every game", () => {
  const documents = parseAllDocuments(read("indexed_job.yaml"), { strict: true, uniqueKeys: true })
  const ofKind = (kind: string): unknown =>
    documents.map((one) => one.toJS() as { readonly kind: string }).find((one) => one.kind === kind)
  const { spec } = Schema.decodeUnknownSync(PartsCronJob)(ofKind("CronJob"))
  const map = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ "games.yaml": Schema.String }) }))
  const template = map(ofKind("ConfigMap")).data["games.yaml"]
  const night = "2026-11-23-1"
  const games = parseAllDocuments(template.replace("NIGHT", night), { strict: true, uniqueKeys: true })
  const job = Schema.decodeUnknownSync(IndexedJob)(games[0]?.toJS())
  const pod = spec.jobTemplate.spec.template.spec

  it("is YAML without a fault, at three, one night at a time", () => {
    assert.deepStrictEqual([documents.length, games.length], [6, 1])
    for (const document of [...documents, ...games])
      assert.deepStrictEqual([document.errors, document.warnings], [[], []])
    atThree(spec.schedule)
  })
  it("plans, starts a Job that is called by the night, and publishes", () => {
    assert.deepStrictEqual(
      [...pod.initContainers, ...pod.containers].map(({ name }) => name),
      ["plan", "start", "publish"]
    )
    assert.match(pod.initContainers[1]?.command?.at(-1) ?? "", /^sed "s\/NIGHT\/.*\/g" .* \| kubectl apply -f -$/)
    assert.match(`cardlake-${night}-31`, /^[a-z0-9-]{1,63}$/)
    assert.strictEqual(job.metadata.name, `cardlake-${night}`)
    for (const { command } of [...pod.initContainers, ...pod.containers])
      assert.strictEqual(spawnSync("sh", ["-n", "-c", command?.at(-1) ?? "("]).status, 0)
  })
  it("reads the game of each index, and tries it again by itself unless a person has to look", () => {
    const [container] = job.spec.template.spec.containers
    assert.deepStrictEqual(container?.args?.slice(0, 5), [
      "nightly",
      "--part-of",
      "NIGHT",
      "--index",
      "$(JOB_COMPLETION_INDEX)"
    ])
    const [rule] = job.spec.podFailurePolicy.rules
    assert.deepStrictEqual([rule?.action, rule?.onExitCodes.values], ["FailIndex", [2, 3]])
    assert.strictEqual(rule?.onExitCodes.containerName, container?.name)
    assert.isAtLeast(job.spec.maxFailedIndexes, job.spec.completions)
    const [ofPublish] = spec.jobTemplate.spec.podFailurePolicy.rules
    assert.deepStrictEqual([ofPublish?.action, ofPublish?.onExitCodes.values], ["FailJob", [2, 3, 4]])
    assert.strictEqual(ofPublish?.onExitCodes.containerName, pod.containers[0]?.name)
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

/** A Python that has Airflow 3: `python3 -m venv v && v/bin/pip install apache-airflow`. */
const airflow = process.env["AIRFLOW_PYTHON"] ?? "python3"
const hasAirflow = spawnSync(airflow, ["-c", "import airflow.dag_processing.dagbag"]).status === 0
if (!hasAirflow) console.warn("Neither python3 nor AIRFLOW_PYTHON has Airflow 3, so it does not read the DAGs here")

describe("Airflow", () => {
  it.skipIf(!hasAirflow)("reads the DAGs: a mapped task for every game between the plan and the publication", () => {
    const work = temporaryFolder()
    for (const file of ["airflow_dag.py", "airflow_parts_dag.py"]) copyFileSync(join(folder, file), join(work, file))
    const env = { ...process.env, AIRFLOW_HOME: join(work, "home"), AIRFLOW__CORE__LOAD_EXAMPLES: "False" }
    const { stderr, stdout } = spawnSync(airflow, ["-c", dagBag, work], { encoding: "utf8", env })
    remove(work)
    const told = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<"errors" | "tasks" | "codes", unknown>
    assert.deepStrictEqual(
      told,
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
  })

  it("is told to run one night at a time, at three", () => {
    const dag = read("airflow_parts_dag.py")
    atThree(/schedule="([^"]+)"/.exec(dag)?.[1] ?? "")
    assert.match(dag, /tz="Europe\/Zurich"\),\n    catchup=False,\n    max_active_runs=1,/)
  })
})
