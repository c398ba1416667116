import { afterAll, assert, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../pipelines/cli.ts"

/** Generators and linters, which npm, PyPI, Go and Maven fetch once. */
const tools = join(tmpdir(), "cardlake-clients")
mkdirSync(tools, { recursive: true })
const env = {
  ...process.env,
  NODE: process.execPath,
  HERE: import.meta.dirname,
  TOOLS: tools,
  GOPATH: join(tools, "go"),
  GOCACHE: join(tools, "go-build"),
  GOFLAGS: "-mod=mod -modcacherw"
}

/** Fetches a language's programs; false if the language is not installed, or its registry is out of reach. */
const fetched = (name: string, script: string): boolean => {
  const { status } = spawnSync("sh", ["-ec", script], { cwd: tools, env, stdio: "ignore" })
  if (status !== 0) console.warn(`Skipped: there is no ${name}, or it cannot fetch what generates clients`)
  return status === 0
}
const npm = fetched(
  "npm",
  `test -d npm/node_modules/openapi-fetch || npm install --prefix npm --no-audit --no-fund --ignore-scripts \\
     @redocly/cli@2 @stoplight/spectral-cli@6 openapi-typescript@7.13.0 openapi-fetch@0.17 typescript@5 @types/node@24`
)
const java = fetched(
  "Java with Maven",
  `java --version && mvn --version && { test -f openapi-generator-cli.jar || mvn -q dependency:copy \\
     -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=. -Dmdep.stripVersion=true; }`
)
const go = fetched(
  "Go",
  "test -x go/bin/oapi-codegen || go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
)
const python = fetched(
  "Python",
  "test -x venv/bin/openapi-python-client || { python3 -m venv venv && venv/bin/pip install -q openapi-python-client; }"
)

const generate = (options: string) =>
  `java -jar $TOOLS/openapi-generator-cli.jar generate -i ../openapi.json ${options}`
const javaClient = (library: string, setup: string) => `${generate(`-g java --library ${library} -o .`)}
  cp $HERE/Trade.java src/main/java
  echo 'import org.openapitools.client.ApiClient;
    class Setup { static ApiClient client(String url, String key) { return new ApiClient()${setup}; } }' > src/main/java/Setup.java
  mvn -q -Dmaven.test.skip -Dmaven.javadoc.skip package dependency:copy-dependencies`
const runJava = "java -cp 'target/classes:target/dependency/*' Trade"

/** Clients by name: whether they can be tried, how they are made and started, and the word that they write. */
const clients = {
  "TypeScript by openapi-typescript": [
    npm,
    `ln -s $TOOLS/npm/node_modules . && cp $HERE/trade.ts.txt trade.ts && echo '{"type":"module"}' > package.json
     node_modules/.bin/openapi-typescript ../openapi.json -o api.ts
     node_modules/.bin/tsc --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 \\
       --lib es2022,dom --module nodenext --allowImportingTsExtensions trade.ts`,
    "$NODE trade.ts",
    "typescript"
  ],
  "Python by openapi-generator": [
    python && java,
    `${generate("-g python -o .")}
     $TOOLS/venv/bin/pip install -q -r requirements.txt
     cp $HERE/trade.py .`,
    "$TOOLS/venv/bin/python trade.py",
    "python"
  ],
  "Python by openapi-python-client": [
    python,
    `$TOOLS/venv/bin/openapi-python-client generate --path ../openapi.json --meta none --output-path trading_card_marketplace_client
     cp $HERE/trade_attrs.py .`,
    "$TOOLS/venv/bin/python trade_attrs.py",
    "attrs"
  ],
  "Go by openapi-generator": [
    go && java,
    `${generate("-g go -o .")}
     rm -r test && mkdir cmd && cp $HERE/trade.go cmd && go mod tidy && go build -o trade ./cmd`,
    "./trade",
    "go"
  ],
  "Go by oapi-codegen": [
    go,
    `mkdir api && $GOPATH/bin/oapi-codegen -generate types,client -package api ../openapi.json > api/api.go
     cp $HERE/tradeCodegen.go . && go mod init trade && go mod tidy && go build -o trade .`,
    "./trade",
    "codegen"
  ],
  "Java with okhttp": [
    java,
    javaClient("okhttp-gson", ` {{ setBasePath(url); addDefaultHeader("Authorization", "Bearer " + key); }}`),
    runJava,
    "java"
  ],
  "Java with java.net.http": [
    java,
    javaClient(
      "native",
      ` {{ updateBaseUri(url); setRequestInterceptor(it -> it.header("Authorization", "Bearer " + key)); }}`
    ),
    runJava,
    "java"
  ]
} as const

const sandbox = await startSandbox({ odd: false, smallIds: true, filling: { seed: 1, accounts: 6, orders: 48 } })
const folder = mkdtempSync(join(tmpdir(), "cardlake-generated-"))
writeFileSync(join(folder, "openapi.json"), await (await fetch(`${sandbox.url}/openapi.json`)).text())
writeFileSync(join(folder, "control.json"), await (await fetch(`${sandbox.url}/sandbox/openapi.json`)).text())
afterAll(async () => {
  await sandbox.stop()
  rmSync(folder, { recursive: true })
})

/** What a script prints; fails with all that it said if it ends with another code than 0. */
const run = (script: string, cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("sh", ["-ec", script], { cwd, env })
    const texts: Array<string> = []
    const errors: Array<string> = []
    child.stdout.on("data", (text) => texts.push(String(text)))
    child.stderr.on("data", (text) => errors.push(String(text)))
    child.on("close", (code) =>
      code === 0 ? resolve(texts.join("")) : reject(new Error([...texts, ...errors].join("").slice(-4000)))
    )
  })

describe("a client that a generator makes of /openapi.json", () => {
  for (const [name, [isThere, make, start, word]] of Object.entries(clients)) {
    it.skipIf(!isThere)(
      `compiles, reads nulls, writes, and reads a refusal: ${name}`,
      async () => {
        const here = join(folder, name.replaceAll(/\W/g, "-"))
        mkdirSync(here)
        await run(make, here)
        const printed = await run(`${start} ${sandbox.url} cl_sandbox_1_seller-1 cl_sandbox_1_buyer-1`, here)
        assert.strictEqual(printed.trim(), `EUR raw ${word} unshipped ${word} 409 AMOUNT_TOO_HIGH`)
      },
      600_000
    )
  }
})

describe.skipIf(!npm)("the linters of OpenAPI", () => {
  for (const [file, known] of [
    // The marketplace's own paths: `/v1/inventory/{inventoryId}/media` beside `/v1/inventory/tags/{name}`.
    ["openapi.json", ["no-ambiguous-paths", "no-ambiguous-paths"]],
    ["control.json", []]
  ] as const) {
    it(`find nothing in ${file} that could be otherwise`, async () => {
      const bin = "$TOOLS/npm/node_modules/.bin"
      writeFileSync(join(folder, ".spectral.json"), '{"extends":["spectral:oas"]}')
      const redocly = await run(
        `REDOCLY_SUPPRESS_UPDATE_NOTICE=1 ${bin}/redocly lint ${file} --format=json 2> /dev/null`,
        folder
      )
      const spectral = await run(`${bin}/spectral lint ${file} --ruleset .spectral.json --format json -q`, folder)
      const { problems } = JSON.parse(redocly) as { readonly problems: ReadonlyArray<{ readonly ruleId: string }> }
      assert.deepEqual(
        problems.map(({ ruleId }) => ruleId),
        [...known]
      )
      assert.deepEqual(JSON.parse(spectral), [])
    }, 120_000)
  }
})
