import { assert, it } from "@effect/vitest"
import { isPublicAddress, linkFault } from "../../../src/feed/guard/linkFault.ts"

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
    "https://[::7f00:1]/a",
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

it("only plain public unicast addresses are public, and one that embeds an IPv4 address is what that is", () => {
  const inner = ["10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "192.168.0.1", "0.0.0.0", "224.0.0.1"]
  const reserved = ["192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1"]
  const v6 = [
    "::",
    "::1",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "100::1",
    "100:0:0:1::1"
  ]
  const others = ["64:ff9b:1::8.8.8.8", "2001:db8::1", "2001:2::1", "2001:10::1", "3fff::1", "4000::1", "5f00::1"]
  // 127.0.0.1 is 7f00:1, 8.8.8.8 is 808:808; inverted, as Teredo has its client, they are 80ff:fffe and f7f7:f7f7.
  const embedded = ["::7f00:1", "::ffff:7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::1", "2002:7f00::", "::ffff:0:7f00:1"]
  const teredo = ["2001:0:808:808::80ff:fffe", "2001:0:7f00:1::f7f7:f7f7"]
  for (const address of [...inner, ...reserved, ...v6, ...others, ...embedded, ...teredo, "no address", ""]) {
    assert.isFalse(isPublicAddress(address), address)
  }
  const outer = ["8.8.8.8", "172.15.0.1", "172.32.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1"]
  const carrying = ["::808:808", "::ffff:808:808", "64:ff9b::808:808", "2002:808:808::1", "2001:0:808:808::f7f7:f7f7"]
  for (const address of [...outer, ...carrying]) assert.isTrue(isPublicAddress(address), address)
})
