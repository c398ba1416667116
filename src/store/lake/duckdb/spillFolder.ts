/** Where this process's DuckDB spills, below `work`: two processes in one folder would mix their files. */
export const spillFolderOf = (host: string, pid: number): string => `spill-${host}-${pid}`

/** Nobody can tell whether a process on another machine is alive. */
const maxIdleMillis = 24 * 3600 * 1000

/** Whether the run that locked the home may remove a folder of `work`: not the spill of a process that may be alive. */
export const spillFolderIsIdle = (name: string, host: string, ageMillis: number): boolean => {
  if (!name.startsWith("spill-")) return true
  const pid = name.startsWith(`spill-${host}-`) ? Number(name.slice(`spill-${host}-`.length)) : Number.NaN
  if (!Number.isSafeInteger(pid)) return ageMillis > maxIdleMillis
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "EPERM")
  }
}
