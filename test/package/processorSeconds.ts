import { spawnSync } from "node:child_process"

/** Processor time of the fastest of several runs of a program, in seconds; it must succeed. */
export const processorSeconds = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): number =>
  Math.min(
    ...Array.from({ length: 7 }, () => {
      const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null'
      const { stderr, status } = spawnSync("bash", ["-c", script, command, ...args], { env, encoding: "utf8" })
      const [user = NaN, system = NaN] = stderr.trim().split(" ").map(Number)
      return status === 0 ? user + system : NaN
    })
  )
