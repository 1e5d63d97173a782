import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fakeGateway, fakeGitHub, fakeModel, fakePages, fakeTelegram } from "./fakes.ts"
import { PROGRAM, WITHOUT_OPTIMIZER } from "./program.ts"
import { PATIENCE } from "./tier.ts"

export const WEBHOOK_SECRET = "0123456789abcdef0123456789abcdef"
export const EXTENSION_TOKEN = "a-token-for-the-extension"
export const CHAT = 4242

/** Every server the service talks to, on loopback, and the settings that point it there. */
export const makeWorld = async () => {
  const telegram = fakeTelegram()
  const model = fakeModel()
  const gateway = await fakeGateway()
  const pages = fakePages()
  const github = fakeGitHub()
  const settings: Record<string, string> = {
    WEBHOOK_SECRET,
    ALLOWED_CHAT_ID: String(CHAT),
    EXTENSION_TOKEN,
    TELEGRAM_BOT_TOKEN: "123456:a-bot-token",
    TELEGRAM_API_URL: telegram.url,
    // Most tests deliver updates themselves.
    TELEGRAM_MODE: "webhook",
    ANTHROPIC_API_KEY: "sk-a-model-key",
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_API_URL: github.url,
    ACCESS_AUD: gateway.audience,
    ACCESS_TEAM_DOMAIN: gateway.url,
    FETCH_ALLOW: `127.0.0.1:${pages.port}`
  }
  const stop = () => Promise.all([telegram, model, gateway, pages, github].map((server) => server.stop()))
  return { telegram, model, gateway, pages, github, settings, stop }
}
export type World = Awaited<ReturnType<typeof makeWorld>>

/** The ports to choose from: below those that the system gives to connections and to servers that name none. */
const PORTS = { from: 20_000, count: 12_000 }

/** A loopback port that is free at the moment, and that hardly anybody else will take before the service does. */
export const freePort = async (): Promise<number> => {
  const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
  try {
    await Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() }).stop(true)
    return port
  } catch {
    return freePort()
  }
}

/**
 * Asks again until there is an answer, for at most `seconds`, a guard against hanging: at first often, and later after a
 * share of the time that has passed. Questions to a service are asked less often, because it does what a test waits for
 * with the same processor.
 */
export const until = async <A>(
  ask: () => A | Promise<A>,
  seconds = 120 * PATIENCE
): Promise<NonNullable<A>> => {
  const start = Date.now()
  for (;;) {
    const asked = ask()
    const share = asked instanceof Promise ? 7 : 20
    const answer = await asked
    if (answer !== undefined && answer !== null && answer !== false) return answer
    const passed = Date.now() - start
    if (passed > seconds * 1000) throw new Error(`no answer within ${seconds} seconds: ${ask}`)
    await Bun.sleep(Math.min(250, Math.max(5, passed / share)))
  }
}

/** How long a start and a stop may take, in seconds: guards against hanging, which a busy machine does not reach. */
const START_TIMEOUT = 120
const STOP_TIMEOUT = 120
/** How long a request waits for its answer, in milliseconds; a test that is cut off would not say which one did. */
const REQUEST_TIMEOUT = 150_000

/**
 * Starts the service as its own process in `folder` and waits until it answers. `command` may be a compiled binary.
 */
export const startService = async (
  settings: Record<string, string>,
  folder = mkdtempSync(join(tmpdir(), "linkbower-test-")),
  command: ReadonlyArray<string> = [...PROGRAM, "serve"]
) => {
  const port = await freePort()
  const log = join(folder, `log-${Date.now()}`)
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      ...WITHOUT_OPTIMIZER,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: join(folder, "data"),
      ENV_FILE: join(folder, ".env"),
      ...settings
    },
    stdin: "ignore",
    stdout: Bun.file(log),
    stderr: Bun.file(`${log}.err`)
  })
  const output = () => readFileSync(log, "utf8") + readFileSync(`${log}.err`, "utf8")
  const base = `http://127.0.0.1:${port}`
  await until(async () => {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`the service ended with ${ended}:\n${output()}`)
    // A service that cannot save has started too.
    return fetch(`${base}/healthz`).then(
      async (response) => response.ok || (await response.text()).includes('"failing"'),
      () => false
    )
  }, START_TIMEOUT).catch((error) => {
    child.kill("SIGKILL")
    throw new Error(`the service on port ${port} did not start (${error}):\n${output()}`)
  })
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    let isKilled = false
    const overdue = setTimeout(() => {
      isKilled = true
      child.kill("SIGKILL")
    }, STOP_TIMEOUT * 1000)
    const code = await child.exited
    clearTimeout(overdue)
    if (isKilled) throw new Error(`the service did not stop within ${STOP_TIMEOUT} seconds:\n${output()}`)
    return code
  }
  return {
    base,
    folder,
    output,
    stop,
    pid: child.pid,
    exited: child.exited,
    /** Writes the live settings file. */
    writeEnv: (values: Record<string, string>) =>
      writeFileSync(
        join(folder, ".env"),
        Object.entries(values)
          .map(([name, value]) => `${name}=${value}\n`)
          .join("")
      ),
    clean: () => rmSync(folder, { recursive: true, force: true })
  }
}
export type Running = Awaited<ReturnType<typeof startService>>

let lastUpdate = 10_000

/** A message of the owner's chat as Telegram delivers it, with a command marked as such. */
export const update = (text: string, more: Record<string, unknown> = {}, chat: unknown = CHAT) => {
  const update_id = lastUpdate++
  const command = /^\/\w+(?:@\w+)?/.exec(text)?.[0]
  const message = {
    message_id: update_id,
    date: 0,
    chat: { id: chat, type: "private" },
    from: { id: chat, is_bot: false },
    text,
    ...(command === undefined
      ? {}
      : { entities: [{ type: "bot_command", offset: 0, length: command.length }] }),
    ...more
  }
  return { update_id, message }
}

/** A link as the dashboard's API returns it, as far as tests look at it. */
export interface SeenLink {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly note: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
  readonly collection: { readonly name: string } | null
  readonly enrichment: string
  readonly stages: ReadonlyArray<{
    readonly stage: string
    readonly state: string
    readonly reason: string | null
  }>
  readonly favorite: boolean
  readonly shareable: boolean
  readonly repository: { readonly fullName: string } | null
}

/** A job as the dashboard's API returns it, as far as tests look at it. */
export interface SeenJob {
  readonly id: number
  readonly action: string
  readonly state: string
  readonly done: number
  readonly total: number
  readonly error: string | null
  readonly undo?: string
  readonly result: Readonly<Record<string, unknown>> | null
}

/** Everyone who sends requests to the service: Telegram, the extension, the owner. */
export const makeClient = (running: Pick<Running, "base">, world: World) => {
  const send = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
    fetch(running.base + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
  // Signing a token takes longer than most requests.
  let token = world.gateway.token()
  let signedAt = Date.now()
  const owner = async (method: string, path: string, body?: unknown) => {
    if (Date.now() - signedAt > 60_000) {
      token = world.gateway.token()
      signedAt = Date.now()
    }
    return send(method, `/dashboard${path}`, body, {
      "cf-access-jwt-assertion": await token,
      "sec-fetch-site": "same-origin"
    })
  }
  const job = async (id: number): Promise<SeenJob> =>
    (await (await owner("GET", `/api/jobs/${id}`)).json()).job
  return {
    send,
    owner,
    webhook: (body: unknown) =>
      send("POST", "/webhook", body, { "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }),
    capture: (body: unknown, headers: Record<string, string> = {}) =>
      send("POST", "/capture/api/link", body, { authorization: `Bearer ${EXTENSION_TOKEN}`, ...headers }),
    links: async (query = ""): Promise<ReadonlyArray<SeenLink>> => {
      const response = await owner("GET", `/api/links${query}`)
      const { links }: { links: ReadonlyArray<SeenLink> } = await response.json()
      return links
    },
    /** The number of links in the library. */
    count: async (): Promise<number> => (await (await owner("GET", "/api/meta")).json()).total,
    change: (body: object) => owner("POST", "/api/mutate", body),
    /** Uploads a list of links and starts its import. */
    upload: async (list: ReadonlyArray<string>, query = "name=list.txt&pages=later"): Promise<SeenJob> => {
      const response = await owner("POST", `/api/import?${query}`, list.join("\n"))
      if (response.status !== 202) throw new Error(`the upload was answered ${response.status}`)
      return (await response.json()).job
    },
    start: async (body: object): Promise<SeenJob> =>
      (await (await owner("POST", "/api/action", body)).json()).job,
    job,
    /** Waits for a job to end. */
    ended: (id: number, seconds?: number) =>
      until(async () => {
        const seen = await job(id)
        return seen.state === "running" || seen.state === "interrupted" ? undefined : seen
      }, seconds),
    health: async () => {
      const response = await send("GET", "/healthz", undefined, {})
      const body: { status: string; problems?: ReadonlyArray<string> } = await response.json()
      return { code: response.status, status: body.status, problems: body.problems ?? [] }
    }
  }
}
export type Client = ReturnType<typeof makeClient>
