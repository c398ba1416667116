import { Effect } from "effect"

/** Restarts this process under its id and releases what it held; else kills it, for its supervisor. */
export const startAgain: Effect.Effect<never> = Effect.andThen(
  Effect.sync(() => {
    const { argv, env, execArgv, execPath, execve, pid, platform } = process
    if (execve === undefined || platform === "win32") process.kill(pid, "SIGKILL")
    else execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
  }),
  Effect.never
)
