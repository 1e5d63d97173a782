/** A request that reached the service through a recorder. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly body: string
}

/** A proxy before a service that records every request; it can be closed and reopened at the same address. */
export const recordRequests = (base: string) => {
  const seen: Array<Recorded> = []
  const forward = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = await request.text()
    const { headers, method } = request
    seen.push({ method, path: pathname + search, key: headers.get("idempotency-key"), body })
    const answer = await fetch(base + pathname + search, {
      method,
      headers: new Headers(
        [...headers].filter(([name]) => !/^(host|connection|content-length|accept-encoding)$/.test(name))
      ),
      redirect: "manual",
      ...(body === "" ? {} : { body })
    })
    return new Response([204, 304].includes(answer.status) ? null : await answer.text(), {
      status: answer.status,
      headers: answer.headers
    })
  }
  const open = (port = 0) => Bun.serve({ port, hostname: "127.0.0.1", idleTimeout: 60, fetch: forward })
  let server = open()
  const port = server.port ?? 0
  return {
    base: `http://127.0.0.1:${port}`,
    seen,
    close: () => server.stop(true),
    reopen: () => {
      server = open(port)
    },
    stop: () => server.stop(true)
  }
}
