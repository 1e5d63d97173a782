import { Database } from "bun:sqlite"
import { afterAll, beforeEach, expect } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MODEL } from "../../../src/config/Configuration.ts"
import { VERSION } from "../../../src/version.ts"
import { vectors } from "../../support/fakeEmbeddings.ts"
import { CHAT, makeWorld } from "../../support/service.ts"
import { fakeServer, runHere } from "./doctor.ts"

/** Every secret; none may be printed. */
export const SECRETS = {
  WEBHOOK_SECRET: "8d2b6a0f4c1e9375a6b8c0d2e4f61837",
  EXTENSION_TOKEN: "kV3xQ9-mT7_bN2wLr8ZcY5uHs1Jd",
  TELEGRAM_BOT_TOKEN: "987654:AA-the-token-of-the-bot",
  ANTHROPIC_API_KEY: "sk-ant-the-key-of-the-model",
  GITHUB_TOKEN: "github_pat_of_the_owner",
  EMBEDDINGS_API_KEY: "sk-embeddings-key-of-mine",
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=the-key-of-the-collector"
}

/** The responses of healthy dependencies. */
const healthy = {
  model: () =>
    Response.json({ type: "model", id: MODEL, display_name: "M", created_at: "2026-01-01T00:00:00Z" }),
  github: () =>
    Response.json({ resources: { core: { limit: 5000, remaining: 4321, reset: 1_800_000_000 } } }),
  embeddings: () => vectors([[3, 4, 0]]),
  service: () => Response.json({ status: "ok", version: VERSION })
}

const chat = { ok: true, result: { id: CHAT, type: "private", first_name: "Ada" } }

const makeServers = async () => ({
  world: await makeWorld(),
  model: fakeServer(healthy.model),
  github: fakeServer(healthy.github),
  embeddings: fakeServer(healthy.embeddings),
  service: fakeServer(healthy.service)
})

/** The files in a folder, with what a change would alter. */
export const stateOf = (at: string) =>
  readdirSync(at, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { mode, mtimeMs, size } = statSync(join(at, name))
      return [name, mode, mtimeMs, size]
    })

/** Everything that doctor checks: each test starts with healthy servers and its own folder. Call it once per file. */
export const doctorWorld = async () => {
  const root = mkdtempSync(join(tmpdir(), "linkbower-doctor-"))
  const servers = await makeServers()
  const { embeddings, github, model, service, world } = servers
  let places = 0
  let folder = root
  const at = (name: string) => join(folder, name)

  beforeEach(() => {
    folder = join(root, String(places++))
    mkdirSync(folder, { mode: 0o700 })
    model.reply = healthy.model
    github.reply = healthy.github
    embeddings.reply = healthy.embeddings
    service.reply = healthy.service
    for (const one of [model, github, embeddings, service]) one.requests.length = 0
    world.telegram.calls.length = 0
    world.telegram.answer = ({ method }) => (method === "getChat" ? Response.json(chat) : undefined)
    world.telegram.webhook = {
      url: `${service.url}/webhook`,
      pending_update_count: 0,
      allowed_updates: ["message", "edited_message", "channel_post", "edited_channel_post", "callback_query"]
    }
  })
  afterAll(async () => {
    await Promise.all(Object.values(servers).map((one) => one.stop()))
    rmSync(root, { recursive: true, force: true })
  })

  /** Only paths and ports, so that a test shows what it is about. */
  const nothing = (): Record<string, string> => ({
    ENV_FILE: at(".env"),
    DATA_DIR: at("data"),
    PORT: String(service.port)
  })

  /** Everything configured, each secret in its own file. */
  const everything = (): Record<string, string> => {
    if (!existsSync(at("secrets"))) mkdirSync(at("secrets"), { mode: 0o700 })
    for (const [name, value] of Object.entries(SECRETS))
      writeFileSync(join(at("secrets"), name), value, { mode: 0o600 })
    return {
      ...nothing(),
      SECRETS_DIR: at("secrets"),
      HOST: "127.0.0.1",
      PUBLIC_URL: service.url,
      FETCH_ALLOW: `127.0.0.1:${service.port}`,
      ALLOWED_CHAT_ID: String(CHAT),
      TELEGRAM_API_URL: world.telegram.url,
      ANTHROPIC_BASE_URL: model.url,
      GITHUB_API_URL: github.url,
      EMBEDDINGS_URL: embeddings.url,
      EMBEDDINGS_MODEL: "small",
      ACCESS_AUD: world.gateway.audience,
      ACCESS_TEAM_DOMAIN: world.gateway.url
    }
  }

  /** Makes a library of two links. */
  const makeLibrary = async () => {
    writeFileSync(at("list.txt"), "https://example.org/a\nhttps://example.org/b\n")
    const { code, error } = await runHere(`import --later ${at("list.txt")}`, nothing())
    expect([code, error]).toEqual([0, ""])
    rmSync(at("list.txt"))
  }

  /** Changes the library directly. */
  const change = (...statements: ReadonlyArray<string>) => {
    const database = new Database(join(at("data"), "library.db"))
    for (const statement of statements) database.run(statement)
    database.close()
  }

  return { ...servers, at, change, everything, makeLibrary, nothing }
}
