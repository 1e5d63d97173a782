import { createSocket } from "node:dgram"
import { isIPv6 } from "node:net"
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from "dns-packet"

type Type = "A" | "AAAA"

/** The response code for a name that does not exist (RFC 1035, 4.1.1). */
const NXDOMAIN = 3

/** The id, the name and the type of a question; the service asks for addresses only. */
const questionOf = (message: Buffer) => {
  const { id = 0, questions: [{ name, type } = { name: "", type: "A" }] = [] } = decode(message)
  return { id, name, type: type === "AAAA" ? ("AAAA" as const) : ("A" as const) }
}

/** An answer with the addresses of this type; says that there is no such name if there is no list of addresses. */
const answer = (
  { id, name, type }: { readonly id: number; readonly name: string; readonly type: Type },
  addresses: ReadonlyArray<string> | undefined
) =>
  encode({
    type: "response",
    id,
    flags: RECURSION_DESIRED | RECURSION_AVAILABLE | (addresses === undefined ? NXDOMAIN : 0),
    questions: [{ name, type }],
    answers: (addresses ?? [])
      .filter((address) => isIPv6(address) === (type === "AAAA"))
      .map((data) => ({ name, type, ttl: 60, data }))
  })

/**
 * A name server on loopback. `known` has the addresses of names; `hangs` says which questions get no answer, by name and
 * record type. It counts what it was asked.
 */
export const makeNameServer = async (
  known: Readonly<Record<string, ReadonlyArray<string>>>,
  hangs: (name: string, type: Type) => boolean = () => false,
  place: { readonly address: string; readonly port: number } = { address: "127.0.0.1", port: 0 }
) => {
  const asked: Array<string> = []
  const socket = createSocket({ type: "udp4", recvBufferSize: 1024 * 1024 })
  socket.on("message", (message, { address, port }) => {
    const question = questionOf(message)
    const { name, type } = question
    asked.push(name)
    if (!hangs(name, type)) socket.send(answer(question, known[name]), port, address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject)
    socket.bind(place.port, place.address, resolve)
  })
  const stop = () => new Promise<void>((resolve) => socket.close(() => resolve()))
  return { asked, servers: [`${place.address}:${socket.address().port}`], stop }
}
