import { assert, it } from "@effect/vitest"
import { linkFault } from "../../src/guard/linkFault.ts"

const fault = (link: string, marketplace: string) => linkFault(new URL(link), new URL(marketplace))

it("a link leads to a public host by https, or to the marketplace itself", () => {
  const service = "https://api.example.com/v1"
  for (const link of ["https://files.example/a?sig=1", "https://8.8.8.8/a", "https://api.example.com/files"]) {
    assert.isNull(fault(link, service), link)
  }
  for (const link of [
    "http://files.example/a",
    "ftp://files.example/a",
    "https://user:word@files.example/a",
    "https://localhost/a",
    "https://127.0.0.1/a",
    "https://127.1/a",
    "https://2130706433/a",
    "https://10.1.2.3/a",
    "https://172.31.0.1/a",
    "https://192.168.1.1/a",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/a",
    "https://0.0.0.0/a",
    "https://[::1]/a",
    "https://[::ffff:10.0.0.1]/a",
    "https://[fd00::1]/a",
    "https://[fe80::1]/a",
    "https://metadata.google.internal/a",
    "https://printer.local/a",
    "https://intranet/a"
  ]) {
    assert.isNotNull(fault(link, service), link)
  }
})

it("of a sandbox on this machine, links may lead to this machine, and still to no private network", () => {
  const sandbox = "http://127.0.0.1:4600"
  assert.isNull(fault("http://127.0.0.1:4600/files/feeds/a", sandbox))
  assert.isNull(fault("http://localhost:5000/files/feeds/a", sandbox))
  assert.isNotNull(fault("http://10.0.0.5/files", sandbox))
  assert.isNotNull(fault("https://169.254.169.254/", sandbox))
  assert.isNull(fault("http://sandbox:4600/files", "http://sandbox:4600/v1"))
  assert.isNotNull(fault("http://sandbox:4601/files", "http://sandbox:4600/v1"))
})
