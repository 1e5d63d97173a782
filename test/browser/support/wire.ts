import { connect, createServer, type Socket } from "node:net"

/** A connection to a service that can be cut and restored: open connections end, and new ones are refused. */
export const wireTo = async (base: string) => {
  const port = Number(new URL(base).port)
  const open = new Set<Socket>()
  let isUp = true
  const server = createServer((near) => {
    if (!isUp) {
      near.destroy()
      return
    }
    const far = connect(port, "127.0.0.1")
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the wire has no port")
  const cut = () => {
    isUp = false
    for (const socket of open) socket.destroy()
  }
  return {
    base: `http://127.0.0.1:${address.port}`,
    cut,
    restore: () => {
      isUp = true
    },
    stop: () => {
      cut()
      server.close()
    }
  }
}
