import { createSocket } from "node:dgram"

/** An A record's type (RFC 1035, 3.2.2) and an AAAA record's (RFC 3596, 2.1). */
const A = 1
const AAAA = 28

/** The question of a DNS message: its name, its type, and its bytes (RFC 1035, 4.1.2). */
const questionOf = (message: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), bytes: message.subarray(12, at + 5) }
}

const bytesOf = (address: string) =>
  address.includes(":")
    ? Buffer.from(
        address
          .replace("::", ":0".repeat(9 - address.split(":").length).concat(":"))
          .split(":")
          .filter((group) => group !== "")
          .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      )
    : Buffer.from(address.split(".").map(Number))

/** An answer with these addresses; without any where the name is there, else that it is not (NXDOMAIN). */
const answer = (message: Buffer, addresses: ReadonlyArray<string> | undefined) => {
  const { bytes, type } = questionOf(message)
  const records = (addresses ?? [])
    .filter((address) => (type === AAAA ? address.includes(":") : type === A && !address.includes(":")))
    .map((address) => {
      const data = bytesOf(address)
      return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
    })
  const flags = addresses === undefined ? 0x8183 : 0x8180
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(flags, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, bytes, ...records])
}

/**
 * A name server on loopback. `known` has the addresses of names; `hangs` says which questions get no answer, by name and
 * record type. It counts what it was asked.
 */
export const makeNameServer = async (
  known: Readonly<Record<string, ReadonlyArray<string>>>,
  hangs: (name: string, type: "A" | "AAAA") => boolean = () => false,
  place: { readonly address: string; readonly port: number } = { address: "127.0.0.1", port: 0 }
) => {
  const asked: Array<string> = []
  const socket = createSocket({ type: "udp4", recvBufferSize: 1024 * 1024 })
  socket.on("message", (message, { address, port }) => {
    const { name, type } = questionOf(message)
    asked.push(name)
    if (!hangs(name, type === AAAA ? "AAAA" : "A")) socket.send(answer(message, known[name]), port, address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject)
    socket.bind(place.port, place.address, resolve)
  })
  const stop = () => new Promise<void>((resolve) => socket.close(() => resolve()))
  return { asked, servers: [`${place.address}:${socket.address().port}`], stop }
}
