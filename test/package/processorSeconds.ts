import { spawnSync } from "node:child_process"

/**
 * Processor time of each program's fastest run, in seconds; it must succeed. They run in turns, so that all of them meet
 * the same moments of a busy machine.
 */
export const processorSeconds = (
  programs: ReadonlyArray<ReadonlyArray<string>>,
  env: NodeJS.ProcessEnv
): ReadonlyArray<number> => {
  const rounds = Array.from({ length: 20 }, () => programs.map((program) => secondsOf(program, env)))
  return programs.map((_, at) => Math.min(...rounds.map((round) => round[at] ?? NaN)))
}

const secondsOf = ([command = "", ...args]: ReadonlyArray<string>, env: NodeJS.ProcessEnv): number => {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null'
  const { stderr, status } = spawnSync("bash", ["-c", script, command, ...args], { env, encoding: "utf8" })
  const [user = NaN, system = NaN] = stderr.trim().split(" ").map(Number)
  return status === 0 ? user + system : NaN
}
