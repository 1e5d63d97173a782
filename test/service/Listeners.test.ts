import { expect, test } from "bun:test"
import { connect } from "node:net"
import { until } from "../support/service.ts"
import { withTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

const LINKS = 100
/** Characters of each link's note: an event with all links takes half a megabyte. */
const NOTE = 5_000
/** Enough events to fill the socket's buffers on both sides, and the queue of 64 messages behind them. */
const EVENTS = 80
/** Milliseconds between changes; those that follow faster are combined into one event. */
const APART = 120

long(test)("a page that opens the event stream and does not read it is disconnected", () =>
  withTestService({}, async ({ client, running, world }) => {
    const token = await world.gateway.token()
    const list = Array.from(
      { length: LINKS },
      (_, n) => `<DT><A HREF="https://example.org/${n}">Link ${n}</A>\n<DD>${"x".repeat(NOTE)}`
    )
    await client.upload(
      ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<DL><p>", ...list, "</DL>"],
      "name=links.html&pages=later"
    )
    await until(async () => (await client.count()) === LINKS)
    const ids = (await client.links("?limit=200")).map(({ id }) => id)

    const { hostname, port, host } = new URL(running.base)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /dashboard/api/events HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\n` +
        `Cf-Access-Jwt-Assertion: ${token}\r\n\r\n`
    )
    const opening = await new Promise<Buffer>((resolve) => socket.once("data", resolve))
    expect(opening.toString()).toStartWith("HTTP/1.1 200")
    socket.pause()

    let sent = 0
    for (let n = 0; n < EVENTS; n++) {
      const changed = await client.change({ op: "favorite", ids, favorite: n % 2 === 0 })
      sent += (await changed.text()).length
      await Bun.sleep(APART)
    }
    let received = 0
    const ended = new Promise<void>((resolve) => {
      socket.on("data", (bytes) => {
        received += bytes.length
        // The last chunk of a response (RFC 9112, 7.1).
        if (bytes.toString("latin1").endsWith("0\r\n\r\n")) resolve()
      })
    })
    socket.resume()
    await ended
    expect(received).toBeLessThan(sent)
    expect((await client.owner("GET", "/api/meta")).status).toBe(200)
    socket.destroy()
  })
)
