import { spawnSync } from "node:child_process"

/** The version of a build: a release has that of package.json, any other comes before it, as `0.2.0-TIME.gCOMMIT`. */
export const buildVersion = (root: string, version: string, isRelease: boolean): string => {
  if (isRelease) return version
  const time = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14)
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" })
  const commit = status === 0 ? `.g${stdout.trim()}` : ""
  return `${version}-${time}${commit}`
}
