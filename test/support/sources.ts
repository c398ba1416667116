import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, normalize, sep } from "node:path"

const root = join(import.meta.dirname, "../..")

/** Returns a file of the checkout as text. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Files that a program writes: they are no source, and nothing here counts them. */
const isGenerated = (path: string): boolean => path.startsWith("test/fixtures/") || path === "src/market/sdk/wire.ts"

/** Sources and documents of the checkout, as paths from its root. */
export const files: ReadonlyArray<string> = ["src", "pipelines", "data/sample", "test"]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.split(sep).join("/")}`
    )
  )
  .concat("README.md", "CHANGELOG.md")
  .filter((path) => /\.(ts|sql|md)$/.test(path) && !isGenerated(path))

/** True for files that users run: `src` and `pipelines`. */
export const isProgram = (path: string): boolean => path.startsWith("src/") || path.startsWith("pipelines/")

/** The number of lines of a file; a last line end begins no line. */
export const lineCount = (text: string): number => text.replace(/\n$/, "").split("\n").length

/** Strings stay, so that a `//` or `/*` inside one does not hide the code behind it. */
export const withoutComments = (code: string): string =>
  code.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_, text: string | undefined) => text ?? ""
  )

/** `from "x"`, `import "x"` and `import("x")`, read from the text: no tool here can be asked. */
export const importsOf = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g)].flatMap((match) => match[1] ?? [])

/** Files reached without an import, such as SQL or a worker: `new URL("x", import.meta.url)`. */
export const urlsOf = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/new\s+URL\(\s*["'`](\.[^"'`\n]+)["'`]\s*,\s*import\.meta\.url/g)].flatMap(
    (match) => match[1] ?? []
  )

/** The file that a relative specifier of `path` names. */
export const resolveFrom = (path: string, specifier: string): string =>
  normalize(join(dirname(path), specifier))
    .split(sep)
    .join("/")
