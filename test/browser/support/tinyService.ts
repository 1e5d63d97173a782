import { join } from "node:path"
import { manifest } from "../../../web/app/manifest.ts"
import { articleOf } from "../../../web/app/reader/articleCache.ts"

const ROOT = join(import.meta.dir, "../../..")
const ICONS = join(ROOT, "web/app/icons")

const bundle = async (entry: string, define: Record<string, string> = {}) => {
  const { outputs } = await Bun.build({ entrypoints: [join(ROOT, entry)], target: "browser", define })
  const [output] = outputs
  if (output === undefined) throw new Error(`${entry} does not build`)
  return output.text()
}

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; img-src 'self'; frame-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types linkbower"

const PRIVATE = "a private response"

/**
 * What is wrong: nothing, requests are refused or redirected to sign in, pages are slow, scripts are missing, or a proxy
 * answers in place of the service.
 */
type Mood = "open" | "refusing" | "redirecting" | "slow" | "torn" | "badGateway"

/** A part of an article: its JSON, its document, or a picture of 1 kB. */
const partOf = (id: number, path: string) => {
  if (path.includes("/pictures/"))
    return new Response(new Uint8Array(1_000), { headers: { "content-type": "image/webp" } })
  if (path.endsWith("/document"))
    return new Response(`<!doctype html><title>${id}</title><p>Article ${id}</p>`, {
      headers: {
        "content-type": "text/html",
        "content-security-policy": "default-src 'none'; img-src 'self'"
      }
    })
  return Response.json({ link: { title: `Title ${id}` } })
}

/** A service with the dashboard's worker, manifest and icons around a minimal app. */
export const startTinyService = async () => {
  const script = await bundle("test/browser/support/tinyApp.ts")
  const workers = new Map<string, string>()
  const state: { mood: Mood; version: string } = { mood: "open", version: "one" }

  const icons = {
    svg: "/app/icon.svg",
    small: "/app/icon-192.png",
    large: "/app/icon-512.png",
    maskable: "/app/icon-maskable-512.png",
    apple: "/app/apple-touch-icon.png"
  }

  const worker = async (version: string) => {
    const made =
      workers.get(version) ??
      (await bundle("web/app/serviceWorker.ts", {
        SHELL: JSON.stringify({
          version,
          page: `/app/shell-${version}.html`,
          assets: [`/app/main-${version}.js`, icons.svg]
        })
      }))
    workers.set(version, made)
    return made
  }
  const html = (heading: string, version: string) =>
    new Response(
      `<!doctype html><html lang="en"><title>Tiny</title><link rel="icon" href="/app/icon.svg">
      <link rel="manifest" href="/app/tiny.webmanifest"><h1>${heading} ${version}</h1><p></p>
      <script type="module" src="/app/main-${version}.js"></script></html>`,
      {
        headers: {
          "content-type": "text/html",
          "content-security-policy": POLICY,
          "cache-control": "no-store"
        }
      }
    )
  const code = (text: string) =>
    new Response(text, {
      headers: {
        "content-type": "text/javascript",
        "content-security-policy": "default-src 'none'; connect-src 'self'",
        // The scope includes the dashboard's address without a slash at its end.
        "service-worker-allowed": "/dashboard"
      }
    })

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const version = /^\/app\/(?:main|shell)-(\w+)\./.exec(pathname)?.[1]
    if (pathname === "/dashboard/service-worker.js") return code(await worker(state.version))
    if (pathname === "/dashboard/api/links") return new Response(PRIVATE)
    const article = articleOf(pathname)
    if (article !== undefined && state.mood !== "refusing") {
      if (state.mood === "slow") await Bun.sleep(8_000)
      return state.mood === "badGateway" ? new Response("", { status: 502 }) : partOf(article, pathname)
    }
    if (pathname === "/app/tiny.webmanifest") return Response.json(manifest(icons))
    // A deployment has only its own files.
    if (version !== undefined && (version !== state.version || state.mood === "torn"))
      return new Response("gone", { status: 404 })
    if (version !== undefined) return pathname.endsWith(".js") ? code(script) : html("Shell", version)
    if (pathname.startsWith("/app/")) return new Response(Bun.file(join(ICONS, pathname.slice(5))))
    if (pathname === "/sign-in") return new Response("Sign in")
    if (state.mood === "refusing") return new Response("Not for you", { status: 403 })
    if (state.mood === "redirecting") return Response.redirect("/sign-in")
    if (state.mood === "slow") await Bun.sleep(8_000)
    return html("Live", state.version)
  }
  const open = (port = 0) => Bun.serve({ port, hostname: "127.0.0.1", idleTimeout: 60, fetch: answer })
  let server = open()
  let isOpen = true
  const port = server.port ?? 0
  const shut = async () => {
    isOpen = false
    await server.stop(true)
  }
  const reopen = () => {
    if (!isOpen) server = open(port)
    isOpen = true
  }
  return {
    base: `http://127.0.0.1:${port}`,
    PRIVATE,
    state,
    shut,
    reopen,
    /** Makes the service as it was at its start. */
    reset: () => {
      Object.assign(state, { mood: "open", version: "one" })
      reopen()
    }
  }
}
export type TinyService = Awaited<ReturnType<typeof startTinyService>>
