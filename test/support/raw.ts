import { connect } from "node:net"

/** The beginning of an answer as it came over the wire. */
export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** As far as it came with the head, or until the connection ended. */
  readonly body: string
}

const parse = (text: string): RawAnswer => {
  const end = text.indexOf("\r\n\r\n")
  const [first = "", ...lines] = text.slice(0, end === -1 ? text.length : end).split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim()
    ])
  )
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: end === -1 ? "" : text.slice(end + 4) }
}

/**
 * Sends bytes as they are, which no client library would, and answers what comes back. A stream that does not end is cut
 * off once its head is there.
 */
export const sendRaw = (base: string, bytes: string): Promise<RawAnswer> =>
  new Promise((resolve) => {
    let text = ""
    const socket = connect(Number(new URL(base).port), "127.0.0.1", () => socket.write(bytes, "latin1"))
    socket.setTimeout(120_000, () => socket.destroy())
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      if (/^content-type: text\/event-stream/im.test(text)) socket.destroy()
    })
    // What is wrong with the connection shows in there being no answer.
    socket.on("error", () => {})
    socket.on("close", () => resolve(parse(text)))
  })

export interface RawRequest {
  readonly method?: string
  /** The request's target, byte by byte. */
  readonly target: string
  /** Lines of the head; the first must be the host, if there is to be one. */
  readonly lines: ReadonlyArray<string>
  readonly version?: "1.0" | "1.1"
  readonly body?: string
}

/** Sends one request on a connection of its own. */
export const ask = (base: string, { body, lines, method = "GET", target, version = "1.1" }: RawRequest) =>
  sendRaw(
    base,
    `${[
      `${method} ${target} HTTP/${version}`,
      ...lines,
      ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
      "Connection: close"
    ].join("\r\n")}\r\n\r\n${body ?? ""}`
  )
