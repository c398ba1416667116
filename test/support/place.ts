import { afterAll } from "@effect/vitest"
import { remove, startSandbox, temporaryFolder } from "../pipelines/cli.ts"

/** An empty folder, which is removed after the tests of the file or of the `describe` around it. */
export const folderHere = (): string => {
  const folder = temporaryFolder()
  afterAll(() => remove(folder))
  return folder
}

/** A sandbox that stops after the tests of the file or of the `describe` around it. */
export const sandboxHere = async (options: Parameters<typeof startSandbox>[0] = {}) => {
  const sandbox = await startSandbox(options)
  afterAll(sandbox.stop)
  return sandbox
}
