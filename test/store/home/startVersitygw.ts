import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { start } from "../../pipelines/cli.ts"
import { goProgram } from "../../support/fetchedPrograms.ts"

const folderOfProgram = goProgram("versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0")
export const hasVersitygw = folderOfProgram !== null

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** A store on disk with bucket `lakes`, in a folder of its own. */
export const startVersitygw = async () => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-versitygw-"))
  mkdirSync(join(folder, "data", "lakes"), { recursive: true })
  const port = await freePort()
  const [key, secret] = ["lakes", "secret-of-the-gateway"]
  const keys = ["--access", key, "--secret", secret]
  const gateway = start(join(folderOfProgram ?? "", "versitygw"), [
    ...keys,
    "--port",
    `127.0.0.1:${port}`,
    "posix",
    join(folder, "data")
  ])
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (answer !== null) break
    await setTimeout(100)
  }
  return {
    folder,
    /** What DuckDB needs to reach it. */
    secret: `create secret (type s3, key_id '${key}', secret '${secret}', endpoint '127.0.0.1:${port}', url_style 'path', use_ssl false, region 'us-east-1')`,
    env: {
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: key,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      CARDLAKE_S3_PATH_STYLE: "true"
    },
    stop: async () => {
      gateway.process.kill()
      await gateway.ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
