import { build, type Metafile } from "esbuild"
import { mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { type Contents, ownFiles, programName } from "./ownFiles.ts"

/** The one package that is installed beside the code: it has a binary for each platform. */
export const installed = "@duckdb/node-api"

/** Bundles the programs into `code` of a folder. Returns what the package takes from others, by the paths of their files. */
export const bundle = async (contents: Contents, folder: string): Promise<ReadonlyArray<string>> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: contents.root,
    entryPoints: Object.fromEntries(contents.programs.map((file) => [programName(file), file])),
    outdir: join(folder, "code"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    external: [installed],
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: "warning",
    plugins: [ownFiles(contents)]
  })
  const kept = reachable(metafile)
  const names = new Set(kept.map((path) => basename(path)))
  mkdirSync(join(folder, "code"), { recursive: true })
  for (const { path, text } of outputFiles) {
    if (names.has(basename(path).replace(/\.map$/, "")))
      writeFileSync(path, path.endsWith(".js") ? withRequire(text) : text)
  }
  return kept.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
}

/** The outputs that a program can load. Two viewers of APIs, a third of all, are imported by code that was left out. */
const reachable = ({ outputs }: Metafile): ReadonlyArray<string> => {
  const kept = new Set<string>()
  const keep = (path: string): void => {
    const output = outputs[path]
    if (output === undefined || kept.has(path)) return
    kept.add(path)
    for (const { path: imported } of output.imports) keep(imported)
  }
  const programs = Object.keys(outputs).filter(
    (path) => !/-[A-Z0-9]{8}\.js(\.map)?$/.test(path) && path.endsWith(".js")
  )
  programs.forEach(keep)
  return [...kept]
}

/** Packages in CommonJS call `require`, which the bundler looks for in one file. */
const withRequire = (code: string): string =>
  code.includes("Dynamic require of")
    ? `import{createRequire}from"node:module";const require=createRequire(import.meta.url);${code}`
    : code
