import { Effect } from "effect"

/**
 * This process begins anew, under its own id: nothing of what it held or waited for is left. Where Node cannot do that,
 * it dies, and whoever watches over it starts it.
 */
export const startAgain: Effect.Effect<never> = Effect.andThen(
  Effect.sync(() => {
    const { argv, env, execArgv, execPath, execve, pid, platform } = process
    if (execve === undefined || platform === "win32") process.kill(pid, "SIGKILL")
    else execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
  }),
  Effect.never
)
