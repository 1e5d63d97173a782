import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { allSettings, MODEL } from "../../src/config/Configuration.ts"
import { VERSION } from "../../src/version.ts"
import { CHAT, startService } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { examine, runHere } from "./support/doctor.ts"
import { doctorWorld, SECRETS, stateOf } from "./support/doctorWorld.ts"

const { at, change, embeddings, everything, github, makeLibrary, model, nothing, service, world } =
  await doctorWorld()

describe("linkbower doctor", () => {
  test("reports every check as ok when all is well, and changes nothing", async () => {
    await makeLibrary()
    const settings = everything()
    const before = stateOf(at("."))
    const { all, code, findings, line, named } = await examine(settings)
    expect([named("fail"), named("warn"), code]).toEqual([[], [], 0])
    expect(stateOf(at("."))).toEqual(before)
    expect(line("Settings", "HOST")).toBe("ok: 127.0.0.1, from the environment | ")
    expect(line("Settings", "LOG_LEVEL")).toBe("ok: info, the default | ")
    expect(line("Settings", "WEBHOOK_SECRET")).toBe(
      `ok: set (32 characters), from ${at("secrets/WEBHOOK_SECRET")} | `
    )
    expect(line("Settings", "METRICS_PORT")).toStartWith("off: unset | Port on 127.0.0.1")
    expect(line("Data", "DATA_DIR")).toBe(`ok: ${at("data")}, mode 0700 | `)
    expect(line("Data", "disk")).toMatch(/^ok: [\d.]+ [MGT]B free/)
    expect(line("Data", "library.db")).toContain("ok: sound: 2 links, 0 collections")
    expect(line("Data", "search index")).toStartWith("ok: up to date")
    expect(line("Data", "arrivals")).toBe("ok: none waiting | ")
    expect(line("Data", "sign-in")).toBe("ok: Cloudflare Access | ")
    expect(line("Service", "service")).toContain(`ok: version ${VERSION} runs`)
    expect(line("Public address", "address")).toContain(`ok: ${service.url}: version ${VERSION}`)
    expect(line("Telegram", "bot")).toBe("ok: @my_bot | ")
    expect(line("Telegram", "webhook")).toBe(`ok: ${service.url}/webhook, 0 updates waiting | `)
    expect(line("Telegram", "chat")).toBe(`ok: ${CHAT}: private chat, Ada | `)
    expect(line("Access gateway", "key server")).toBe(`ok: ${world.gateway.url}: 1 RS256 key | `)
    expect(line("Language model", MODEL)).toStartWith("ok: ")
    expect(line("GitHub", "API")).toContain("ok: 4321 of 5000 requests an hour left, with the token")
    expect(line("Embeddings", "embedder")).toContain(`small at 127.0.0.1:${embeddings.port}, 3 dimensions`)
    expect(line("Clock", "clock")).toMatch(/^ok: [01]\.\d seconds (ahead of|behind) 127/)
    expect(findings.filter(({ group }) => group === "Settings").map(({ name }) => name)).toEqual(
      allSettings.map(({ name }) => name)
    )
    expect(model.requests).toEqual([`GET /v1/models/${MODEL}`])
    for (const secret of Object.values(SECRETS)) expect(all).not.toContain(secret)
  })

  test("shows problems first, then what is in order, and in a line what is off", async () => {
    const { code, out } = await runHere("doctor --offline", {
      ...nothing(),
      DEV_NO_AUTH: "1",
      ALLOWED_CHAT_ID: "@me"
    })
    expect(code).toBe(1)
    expect(out).toMatch(
      /^FAIL {2}Settings: ALLOWED_CHAT_ID\n {6}not usable.*\n {6}Expected a chat number.*\n\nwarn {2}.*DEV_NO_AUTH\n/
    )
    expect(out).toMatch(/\nData\n {2}ok {4}disk {2}[\d.]+ [GT]B free\n/)
    expect(out).toMatch(/\n\d+ settings in order\.\nOff or not checked: .*Telegram.*, \d+ unset settings\. /)
    expect(out).not.toContain("EXTENSION_TOKEN")
    expect(out).toMatch(/\n\d+ ok, \d+ off, 1 warn, 1 FAIL\n$/)
  })

  test("lists everything with --all, after the problems", async () => {
    const { code, out } = await runHere("doctor --all", {
      ...nothing(),
      DEV_NO_AUTH: "1",
      GITHUB_API_URL: github.url
    })
    expect(code).toBe(0)
    expect(out).toMatch(/^warn {2}.*DEV_NO_AUTH\n {6}1: every program/)
    expect(out).toMatch(/\n {2}off {3}EXTENSION_TOKEN +unset\. Gate 3/)
    expect(out).toMatch(/\nData\n {2}off {3}DATA_DIR +\S+ does not exist/)
    expect(out).toContain("  off   claude-haiku-5-5  ANTHROPIC_API_KEY is unset. The language model's key.")
    expect(out).toMatch(/\n\d+ ok, \d+ off, 1 warn, 0 FAIL\n$/)
  })

  long(test)("counts every way to sign in, and says if there is none", async () => {
    await makeLibrary()
    const signIn = async (settings: Readonly<Record<string, string>>) =>
      (await examine({ ...nothing(), ...settings }, " --offline")).line("Data", "sign-in")
    expect(await signIn({})).toStartWith("off: no way to sign in is set up | Open /setup: ")
    expect(await signIn({ TRUSTED_PROXY: "127.0.0.1", TRUSTED_HEADER: "Remote-User: ann" })).toBe(
      "ok: a trusted proxy | "
    )
    expect(
      await signIn({
        OIDC_ISSUER: "https://id.example",
        OIDC_CLIENT_ID: "links",
        OIDC_ALLOW: "ann",
        DEV_NO_AUTH: "1"
      })
    ).toBe("ok: an OpenID Connect provider, DEV_NO_AUTH | ")
  })

  test("leaves an empty folder empty", async () => {
    mkdirSync(at("data"), { mode: 0o700 })
    const { code, line, named } = await examine({ ...nothing(), GITHUB_API_URL: github.url })
    expect([code, named("fail"), readdirSync(at("data"))]).toEqual([0, [], []])
    expect(line("Data", "library.db")).toContain("The service creates it at its first start.")
    expect(line("Embeddings", "embedder")).toStartWith("ok: built in, linkbower-")
  })

  test("sends no outside request with --offline", async () => {
    const { code, named } = await examine(everything(), " --offline")
    const requests = [model, github, embeddings].flatMap((one) => one.requests)
    expect([code, requests, world.telegram.calls]).toEqual([0, [], []])
    expect(service.requests).toEqual(["GET /healthz"])
    expect(named("off").filter((name) => name === "probe")).toHaveLength(7)
    expect(named("ok", "Settings").length).toBeGreaterThan(20)
  })

  test("explains how to repair a damaged database, and continues", async () => {
    await makeLibrary()
    const file = join(at("data"), "library.db")
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0x5a, 4096 * 3, 4096 * 12))
    const before = stateOf(at("."))
    const { code, error, line } = await examine({ ...nothing(), GITHUB_API_URL: github.url })
    expect(code).toBe(1)
    expect(error).toBe("linkbower: Something is wrong: Data (library.db).\n")
    expect(line("Data", "library.db")).toMatch(/^fail: .*is damaged.*\| .*linkbower re(store|index)/)
    expect(line("GitHub", "API")).toStartWith("ok")
    expect(stateOf(at("."))).toEqual(before)
  })

  test("counts waiting work and links missing from the index", async () => {
    await makeLibrary()
    change(
      "INSERT INTO links_fts (links_fts) VALUES ('delete-all')",
      "UPDATE links SET enrichment = 'complete'",
      "DELETE FROM embedding_queue",
      "INSERT INTO inbox (source, key, payload, next_at, received_at) VALUES ('chat', '1', '{}', '', ''), ('chat', '2', '{}', '', '')",
      "INSERT INTO outbox (message, next_at, created_at) VALUES ('{}', '', '')"
    )
    const { code, line } = await examine(nothing(), " --offline")
    expect(line("Data", "search index")).toBe(
      "warn: 2 links not found by words, 2 links not found by meaning | Run `linkbower reindex`."
    )
    expect(line("Data", "arrivals")).toStartWith("ok: 2 updates waiting | The service processes them")
    expect(line("Data", "replies")).toStartWith("ok: 1 message waiting | ")
    expect(code).toBe(0)
  })

  test("reports kept copies, an open folder and an invalid folder", async () => {
    mkdirSync(at("data"))
    chmodSync(at("data"), 0o755)
    writeFileSync(join(at("data"), "library-before-restore.db"), "x".repeat(1500))
    const open = await examine({ ...nothing(), GITHUB_API_URL: github.url })
    expect(open.line("Data", "DATA_DIR")).toContain(`mode 0755) | Run chmod 700 ${at("data")}.`)
    expect(open.line("Data", "copies")).toContain("1.5 kB of earlier libraries: library-before-restore.db")
    expect(open.code).toBe(0)
    const none = await examine(
      { ...nothing(), DATA_DIR: join(at("data"), "library-before-restore.db") },
      " --offline"
    )
    expect(none.line("Data", "DATA_DIR")).toStartWith("fail: ")
    expect(none.code).toBe(1)
  })

  long(test)("checks the library while the service runs", async () => {
    const running = await startService(world.settings, at("."))
    try {
      const settings = { ...nothing(), PORT: new URL(running.base).port }
      const { code, line } = await examine(settings, " --offline")
      expect(line("Data", "library.db")).toContain("ok: sound: 0 links")
      expect(line("Service", "service")).toBe(`ok: version ${VERSION} runs at ${running.base} | `)
      expect(code).toBe(0)
      expect(await runHere("health", settings)).toMatchObject({ code: 0, error: "" })
    } finally {
      expect(await running.stop()).toBe(0)
    }
  })
})
