import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A message of Postgres' protocol: a letter, its length and a body. */
const message = (letter: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const readyIdle = message("Z", Buffer.from("I"))

/** A session in Postgres, with the client that it is lent to until a transaction of it ends. */
interface Session {
  readonly socket: Socket
  client: Socket | null
}

const openSession = async (port: number, onIdle: (session: Session) => void): Promise<void> => {
  const socket = connect(port, "127.0.0.1")
  const session: Session = { socket, client: null }
  const body = Buffer.from("\0\x03\0\0user\0cardlake\0database\0postgres\0\0", "latin1")
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  socket.write(Buffer.concat([length, body]))
  let rest = Buffer.alloc(0)
  const isReady = new Promise<void>((resolve) => {
    socket.on("data", (data: Buffer) => {
      session.client?.write(data)
      rest = Buffer.concat([rest, data])
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const size = rest.readInt32BE(1) + 1
        const isIdle = rest.subarray(0, size).equals(readyIdle)
        rest = rest.subarray(size)
        if (!isIdle) continue
        session.client = null
        onIdle(session)
        resolve()
      }
    })
  })
  socket.on("error", () => {})
  await isReady
}

/** Two sessions for any number of clients, each lent for one transaction, the one that was used last first. */
export const transactionPooler = async (postgresPort: number) => {
  const idle: Array<Session> = []
  const sessions = new Set<Session>()
  const waiting: Array<() => void> = []
  const onIdle = (session: Session) => {
    sessions.add(session)
    idle.push(session)
    waiting.shift()?.()
  }
  await openSession(postgresPort, onIdle)
  await openSession(postgresPort, onIdle)
  const server = createServer((client) => {
    let isStarted = false
    const send = (data: Buffer): void => {
      const session = [...sessions].find((one) => one.client === client) ?? idle.pop()
      if (session === undefined) return void waiting.push(() => send(data))
      session.client = client
      session.socket.write(data)
    }
    client.on("error", () => {})
    client.on("data", (data: Buffer) => {
      if (isStarted) return send(data)
      // A request for TLS comes first.
      if (data.readInt32BE(4) === 80_877_103) return void client.write("N")
      isStarted = true
      client.write(
        Buffer.concat([
          message("R", Buffer.alloc(4)),
          message("S", Buffer.from("client_encoding\0UTF8\0")),
          message("S", Buffer.from("server_version\x0015.0\0")),
          message("K", Buffer.alloc(8)),
          readyIdle
        ])
      )
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    close: () => {
      for (const { socket } of sessions) socket.destroy()
      server.close()
    }
  }
}
