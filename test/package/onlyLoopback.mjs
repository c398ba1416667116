// Loaded into a program with --import: a socket to anywhere but this machine is refused, and noted in a file.
import dgram from "node:dgram"
import dns from "node:dns"
import { appendFileSync } from "node:fs"
import net from "node:net"

const isHere = (host) => host === undefined || /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(String(host))
const refuse = (what) => {
  appendFileSync(process.env.FOREIGN_CONTACTS, `${what}\n`)
  throw new Error(`refused: ${what}`)
}

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args
  const { host, path } = typeof first === "object" ? first : { host: typeof first === "number" ? args[1] : undefined }
  if (path === undefined && !isHere(host)) refuse(`connect ${host}`)
  return connect.apply(this, args)
}
for (const name of ["lookup", "resolve", "resolve4", "resolve6", "resolveAny"]) {
  for (const from of [dns, dns.promises]) {
    const ask = from[name]
    from[name] = (host, ...rest) => (isHere(host) ? ask(host, ...rest) : refuse(`${name} ${host}`))
  }
}
dgram.Socket.prototype.send = (...args) => refuse(`send ${args.at(-1)}`)
