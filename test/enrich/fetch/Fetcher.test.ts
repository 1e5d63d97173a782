import { describe, expect } from "bun:test"
import { brotliCompressSync, deflateSync } from "node:zlib"
import { Effect } from "effect"
import type { Fetched } from "../../../src/enrich/fetch/Fetcher.ts"
import { fetching, fetchingAt, html, it, page, pages, text, trap, wire } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"

describe("Fetcher", () => {
  it("requests the checked address with the host name of the URL and no credentials", function* () {
    const seen: Array<Record<string, string>> = []
    const server = yield* pages(({ headers, url }) => {
      seen.push(Object.fromEntries(headers))
      return new URL(url).pathname === "/moved"
        ? new Response(null, { status: 302, headers: { location: "/a?b=c#d" } })
        : page("<title>Hello</title>")
    })
    const base = `http://site.test:${server.port}`
    const fetched = yield* fetching(`${base}/moved`, `site.test:${server.port}`)
    expect(fetched).toEqual({
      url: new URL(`${base}/a?b=c#d`),
      redirects: [`${base}/moved`],
      isPermanent: false,
      status: 200,
      headers: expect.any(Headers),
      contentType: "text/html",
      body: new Uint8Array(Buffer.from("<title>Hello</title>")),
      cut: false,
      follow: expect.any(Function)
    })
    expect(seen).toEqual(
      Array(2).fill({
        host: `site.test:${server.port}`,
        accept: "text/html",
        "accept-encoding": "gzip, br",
        "accept-language": "en, *;q=0.5",
        "user-agent": "Linkbower/0.1 (link preview; self-hosted)",
        connection: expect.any(String)
      })
    )
  })

  it("returns the cookies of a fetch to the site that set them, until the fetch ends", function* () {
    const seen: Array<ReadonlyArray<string | null>> = []
    const server = yield* pages(({ headers, url }) => {
      const { host, pathname, searchParams } = new URL(url)
      const [cookie, to] = [headers.get("cookie"), searchParams.get("to")]
      seen.push([host.split(":", 1)[0] ?? "", pathname, cookie])
      if (pathname === "/wall" && cookie === null)
        return new Response(null, { status: 302, headers: { location: url, "set-cookie": "seen=1; Path=/" } })
      return to === null ? page("arrived") : new Response(null, { status: 302, headers: { location: to } })
    })
    const { port } = server
    const allow = `site.test:${port}, two.test:${port}`
    const away = encodeURIComponent(`http://two.test:${port}/away?to=http%3A%2F%2Fsite.test%3A${port}%2Fback`)
    const { body, follow } = yield* fetching(`http://site.test:${port}/wall?to=${away}`, allow)
    expect(text(body)).toBe("arrived")
    yield* follow("/onward").pipe(withSettings({ FETCH_ALLOW: allow }))
    yield* fetching(`http://site.test:${port}/later`, allow)
    expect(seen).toEqual([
      ["site.test", "/wall", null],
      ["site.test", "/wall", "seen=1"],
      ["two.test", "/away", null],
      ["site.test", "/back", "seen=1"],
      ["site.test", "/onward", "seen=1"],
      ["site.test", "/later", null]
    ])
  })

  it("counts an address that content leads to as a redirect, and checks it like one", function* () {
    const secret = yield* trap
    const server = yield* pages(() => page("sends on"))
    const allow = `127.0.0.2:${server.port}`
    const following = (fetched: Fetched, to: string) =>
      fetched.follow(to).pipe(withSettings({ FETCH_ALLOW: allow }))
    let last = yield* fetchingAt(server.port, "0")
    for (const refused of [`http://127.0.0.1:${secret.port}/`, "file:///etc/passwd", "http://[::1]/"])
      expect((yield* Effect.flip(following(last, refused))).reason).toBe("refused-address")
    for (const n of [1, 2, 3, 4, 5]) last = yield* following(last, `/${n}`)
    expect([last.url.pathname, last.redirects.length, last.isPermanent]).toEqual(["/5", 5, false])
    expect((yield* Effect.flip(following(last, "/6"))).reason).toBe("too-many-redirects")
    expect(secret.hits).toBe(0)
  })

  it("escapes the bytes of a redirect target in any encoding", function* () {
    const asked: Array<string> = []
    const { port } = yield* wire((socket, request) => {
      const path = /^GET (\S+)/.exec(request.toString("latin1"))?.[1] ?? ""
      asked.push(path)
      if (path !== "/latin1" && path !== "/utf8")
        return socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\nx")
      const location = Buffer.from("/synsprøve?q=¹ú", path === "/utf8" ? "utf8" : "latin1")
      socket.write(Buffer.concat([Buffer.from("HTTP/1.1 302 Found\r\nLocation: "), location]))
      socket.end("\r\nContent-Length: 0\r\n\r\n")
    })
    yield* fetchingAt(port, "latin1")
    yield* fetchingAt(port, "utf8")
    expect(asked).toEqual(["/latin1", "/synspr%f8ve?q=%b9%fa", "/utf8", "/synspr%c3%b8ve?q=%c2%b9%c3%ba"])
  })

  it("asks for the headers alone with HEAD, and says whether every redirect is permanent", function* () {
    const methods: Array<string> = []
    const server = yield* pages(({ method, url }) => {
      methods.push(method)
      const [, status, rest] = /^\/(\d+)(.*)$/.exec(new URL(url).pathname) ?? []
      return status === undefined
        ? page("a page with a body")
        : new Response(null, { status: Number(status), headers: { location: rest || "/end" } })
    })
    const base = `http://site.test:${server.port}`
    const allow = `site.test:${server.port}`
    for (const [path, isPermanent] of [
      ["/end", true],
      ["/301/308/301", true],
      ["/301/302", false],
      ["/307", false]
    ] as const) {
      const fetched = yield* fetching(`${base}${path}`, allow, { ...html, method: "HEAD" })
      expect([fetched.isPermanent, fetched.url.pathname, fetched.body.length]).toEqual([
        isPermanent,
        "/end",
        0
      ])
    }
    expect(new Set(methods)).toEqual(new Set(["HEAD"]))
  })

  it("tries the next address of a host if the first is unreachable", function* () {
    const server = yield* pages(() => page("here"))
    const { body } = yield* fetching(`http://two.test:${server.port}/`, `two.test:${server.port}`)
    expect(text(body)).toBe("here")
  })

  it("follows at most five redirects and checks each target", function* () {
    const secret = yield* trap
    const server = yield* pages(({ url }) => {
      const to = new URL(url).searchParams.get("to")
      if (new URL(url).pathname === "/loop")
        return new Response(null, { status: 301, headers: { location: "/loop" } })
      const left = Number(new URL(url).searchParams.get("left") ?? 0)
      if (to !== null) return new Response(null, { status: 302, headers: { location: to } })
      return left > 0
        ? new Response(null, { status: 302, headers: { location: `?left=${left - 1}` } })
        : page("arrived")
    })
    const base = `http://127.0.0.2:${server.port}/`
    const allow = `127.0.0.2:${server.port}`
    const fetched = yield* fetching(`${base}?left=5`, allow)
    expect([text(fetched.body), fetched.redirects.length, fetched.url.search]).toEqual([
      "arrived",
      5,
      "?left=0"
    ])
    const fails = (url: string) => Effect.map(Effect.flip(fetching(url, allow)), ({ reason }) => reason)
    expect(yield* fails(`${base}?left=6`)).toBe("too-many-redirects")
    expect(yield* fails(`${base}?to=${encodeURIComponent("/loop")}`)).toBe("too-many-redirects")
    for (const to of [
      `http://127.0.0.1:${secret.port}/`,
      `//127.0.0.1:${secret.port}/`,
      `${base}?to=${encodeURIComponent(`http://127.0.0.1:${secret.port}/`)}`,
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
      "gopher://127.0.0.1:25/",
      "http://localhost/",
      "http://[::1]/"
    ])
      expect([to, yield* fails(`${base}?to=${encodeURIComponent(to)}`)]).toEqual([to, "refused-address"])
    expect(secret.hits).toBe(0)
  })

  it("decompresses gzip, brotli and deflate, and rejects other or broken encodings", function* () {
    const plain = Buffer.from("unpacked")
    const packed: Record<string, Uint8Array<ArrayBuffer>> = {
      gzip: Bun.gzipSync(plain),
      "x-gzip": Bun.gzipSync(plain),
      GZip: Bun.gzipSync(plain),
      deflate: deflateSync(plain),
      br: brotliCompressSync(plain),
      identity: plain
    }
    const server = yield* pages(({ url }) => {
      const { searchParams } = new URL(url)
      const encoding = searchParams.get("e") ?? ""
      const body = searchParams.has("broken") ? "not packed at all" : (packed[encoding] ?? "unknown")
      return page(body, { "content-encoding": encoding })
    })
    const base = `http://127.0.0.2:${server.port}/`
    const allow = `127.0.0.2:${server.port}`
    for (const e of Object.keys(packed))
      expect([e, text((yield* fetching(`${base}?e=${e}`, allow)).body)]).toEqual([e, "unpacked"])
    for (const e of ["gzip&broken", "br&broken", "deflate&broken", "zstd", "gzip, gzip", "nonsense"])
      expect([e, (yield* Effect.flip(fetching(`${base}?e=${e}`, allow))).reason]).toEqual([e, "bad-encoding"])
  })

  it("allows a retry after a compressed body was truncated", function* () {
    const { port } = yield* wire((socket) => {
      socket.write(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: 99\r\n\r\n"
      )
      socket.end()
    })
    const error = yield* Effect.flip(fetchingAt(port))
    expect([error.reason, error.lasting]).toEqual(["unreachable", false])
  })

  it("keeps the beginning of a truncated page", function* () {
    const { port } = yield* wire((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\n<title>Half")
      setTimeout(() => socket.end(), 300)
    })
    const { body, cut } = yield* fetchingAt(port)
    expect([text(body), cut]).toEqual(["<title>Half", true])
  })

  it("follows a redirect whose location is raw UTF-8", function* () {
    const paths: Array<string> = []
    const { port } = yield* wire((socket, request) => {
      paths.push(request.toString().split(" ")[1] ?? "")
      socket.write(
        paths.length === 1
          ? "HTTP/1.1 302 Found\r\nlocation: /путь?q=é\r\ncontent-length: 0\r\n\r\n"
          : "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\nhere"
      )
    })
    const { url } = yield* fetchingAt(port)
    expect(paths).toEqual(["/", `${url.pathname}${url.search}`])
    expect(decodeURIComponent(url.href)).toEndWith("/путь?q=é")
  })

  it("rejects other content types and unsuccessful responses", function* () {
    const server = yield* pages(({ url }) => {
      const { searchParams } = new URL(url)
      return new Response("x", {
        status: Number(searchParams.get("s") ?? 200),
        headers: { "content-type": searchParams.get("t") ?? "text/html; charset=x" }
      })
    })
    const base = `http://127.0.0.2:${server.port}/`
    const allow = `127.0.0.2:${server.port}`
    expect((yield* fetching(base, allow)).contentType).toBe("text/html; charset=x")
    for (const type of ["application/pdf", "image/png", "application/octet-stream", "TEXT/HTMLX"])
      expect((yield* Effect.flip(fetching(`${base}?t=${type}`, allow))).reason).toBe("content-type")
    for (const [status, lasting] of [
      [404, true],
      [410, true],
      [500, false],
      [429, false],
      [403, false]
    ] as const)
      expect(yield* Effect.flip(fetching(`${base}?s=${status}`, allow))).toMatchObject({
        reason: "status",
        status,
        lasting
      })
  })

  it("returns the response of an error status that is asked for, if its body can be read", function* () {
    const { port } = yield* pages(({ url }) => {
      const { searchParams } = new URL(url)
      const headers = {
        "content-type": searchParams.get("t") ?? "text/html",
        "content-encoding": searchParams.get("e") ?? "identity",
        "cf-mitigated": "challenge"
      }
      return new Response("prove it", { status: Number(searchParams.get("s")), headers })
    })
    const asked = { readsStatus: (status: number) => [403, 999].includes(status) }
    const challenged = yield* fetchingAt(port, "?s=403", asked)
    expect([challenged.status, challenged.headers.get("cf-mitigated"), text(challenged.body)]).toEqual([
      403,
      "challenge",
      "prove it"
    ])
    const odd = yield* wire((socket) =>
      socket.write("HTTP/1.1 999 No\r\ncontent-type: text/html\r\ncontent-length: 5\r\n\r\nleave")
    )
    expect(yield* fetchingAt(odd.port, "", asked)).toMatchObject({ status: 999, body: Buffer.from("leave") })
    for (const query of ["?s=404", "?s=403&t=image/png", "?s=403&e=unknown", "?s=403&e=gzip"])
      expect(yield* Effect.flip(fetchingAt(port, query, asked))).toMatchObject({
        reason: "status",
        status: query === "?s=404" ? 404 : 403
      })
  })

  it("reports an unreachable server without its address", function* () {
    const error = yield* Effect.flip(fetching("http://127.0.0.2:9/secret-path", "127.0.0.2:9"))
    expect(error.reason).toBe("unreachable")
    expect(Bun.inspect(error) + JSON.stringify(error) + error.stack).not.toContain("secret-path")
  })
})
