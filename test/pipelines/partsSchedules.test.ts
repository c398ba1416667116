import { assert, describe, expect, it } from "@effect/vitest"
import { Cron, Result } from "effect"
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
