import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bitsOf } from "../../../src/cli/doctor/SettingChecks.ts"
import { meantBy } from "../../../src/config/SettingMistakes.ts"
import { examine } from "../support/doctor.ts"
import { doctorWorld, SECRETS } from "../support/doctorWorld.ts"

const { at, nothing } = await doctorWorld()

describe("linkbower doctor, settings", () => {
  const offline = (settings: Record<string, string>) => examine({ ...nothing(), ...settings }, " --offline")

  test("explains why a value is invalid and where it is, without printing it", async () => {
    writeFileSync(at(".env"), "ALLOWED_CHAT_ID=ghp-pasted-wrongly\nHOST=\n", { mode: 0o600 })
    const { all, code, line } = await offline({ CAPTURE_WAIT: "soon" })
    expect(code).toBe(1)
    expect(line("Settings", "ALLOWED_CHAT_ID")).toBe(
      `fail: not usable, from ${at(".env")} | Expected a chat number in decimal digits. Correct it there.`
    )
    expect(line("Settings", "CAPTURE_WAIT")).toContain("not usable, from the environment")
    expect(line("Settings", "HOST")).toBe(`ok: 127.0.0.1, the default, from ${at(".env")} | `)
    expect(all).not.toContain("pasted")
  })

  test("prints no user, password or parameters of a URL", async () => {
    const { all, line } = await offline({ EMBEDDINGS_URL: "https://me:hunter22@e.example/v1?key=abc#d" })
    expect(line("Settings", "EMBEDDINGS_URL")).toContain("https://…@e.example/v1…")
    expect(all).not.toMatch(/hunter22|key=abc/)
  })

  test("warns of secrets in readable files and in the environment", async () => {
    writeFileSync(at(".env"), `WEBHOOK_SECRET=${SECRETS.WEBHOOK_SECRET}\n`)
    chmodSync(at(".env"), 0o644)
    const { line } = await offline({ GITHUB_TOKEN: SECRETS.GITHUB_TOKEN })
    expect(line("Files and secrets", "readable by others")).toBe("none")
    expect(line("Files and secrets", "environment")).toStartWith("warn: holds GITHUB_TOKEN | Put secrets")
    chmodSync(at("."), 0o755)
    const { line: inOpenFolder } = await offline({})
    expect(inOpenFolder("Files and secrets", "readable by others")).toContain(
      `warn: ${at(".env")} (mode 0644) | It holds secrets: run chmod 600`
    )
  })

  test("accepts systemd's credentials folder", async () => {
    const credentials = at("credentials")
    mkdirSync(credentials)
    writeFileSync(join(credentials, "WEBHOOK_SECRET"), SECRETS.WEBHOOK_SECRET, { mode: 0o440 })
    chmodSync(at("."), 0o755)
    const { line } = await offline({ CREDENTIALS_DIRECTORY: credentials })
    expect(line("Settings", "WEBHOOK_SECRET")).toContain(`from ${credentials}/WEBHOOK_SECRET`)
    expect(line("Files and secrets", "readable by others")).toBe("none")
  })

  test("reports an unreadable file and a missing secrets folder", async () => {
    mkdirSync(at(".env"))
    const { code, line } = await offline({ SECRETS_DIR: at("none") })
    expect(code).toBe(1)
    expect(line("Files and secrets", "unreadable")).toContain(`fail: ${at(".env")} (EISDIR)`)
    expect(line("Files and secrets", "SECRETS_DIR")).toContain("does not exist")
    expect(line("Settings", "WEBHOOK_SECRET")).toContain("off: unset: ")
  })

  test("reports weak secrets, and one that Telegram does not allow", async () => {
    const { line } = await offline({ WEBHOOK_SECRET: "0123456789abcdef", EXTENSION_TOKEN: "a".repeat(60) })
    expect(line("Files and secrets", "WEBHOOK_SECRET")).toContain("warn: is easy to guess")
    expect(line("Files and secrets", "EXTENSION_TOKEN")).toContain("openssl rand -hex 16")
    const { all, code, line: wrong } = await offline({ WEBHOOK_SECRET: "no spaces here, and no commas!" })
    expect(wrong("Files and secrets", "WEBHOOK_SECRET")).toContain(
      "fail: has characters that Telegram does not allow"
    )
    expect([code, all.includes("no spaces here")]).toEqual([1, false])
    expect(bitsOf(SECRETS.WEBHOOK_SECRET)).toBe(128)
    expect(bitsOf(SECRETS.EXTENSION_TOKEN)).toBeGreaterThan(128)
    expect(bitsOf("1234567890123456789012")).toBeLessThan(128)
  })

  test("reports incomplete pairs of settings and an open dashboard", async () => {
    const half = await offline({ ACCESS_AUD: "a".repeat(64), DEV_NO_AUTH: "1" })
    expect(half.line("Files and secrets", "ACCESS_TEAM_DOMAIN")).toContain(
      "while ACCESS_AUD is set | Set both"
    )
    expect(half.line("Files and secrets", "DEV_NO_AUTH")).toStartWith("warn: ")
    expect(half.code).toBe(0)
    const open = await offline({ DEV_NO_AUTH: "1", HOST: "0.0.0.0" })
    expect(open.line("Files and secrets", "DEV_NO_AUTH")).toContain("fail: 1, although HOST=0.0.0.0")
    expect(open.code).toBe(1)
    const tunnelled = await offline({ DEV_NO_AUTH: "1", PUBLIC_URL: "https://links.example.org" })
    expect(tunnelled.line("Files and secrets", "DEV_NO_AUTH")).toContain(
      "fail: 1, although PUBLIC_URL=https://links.example.org is a public address"
    )
    expect(tunnelled.code).toBe(1)
  })

  test("suggests the names of misspelled settings", async () => {
    writeFileSync(at(".env"), "ALOWED_CHAT_ID=1\nEDITOR=vi\n", { mode: 0o600 })
    mkdirSync(at("secrets"))
    writeFileSync(at("secrets/WEBHOOK_SECRET.txt"), "x")
    const { findings } = await offline({ SECRETS_DIR: at("secrets") })
    expect(findings.filter(({ name }) => name === "unknown name").map(({ advice }) => advice)).toEqual([
      "No such setting; did you mean ALLOWED_CHAT_ID?",
      "No such setting; did you mean WEBHOOK_SECRET?"
    ])
    expect(["webhook-secret", "PROT", "HSOT", "DATADIR", "GITHUB_TOKNE"].map(meantBy)).toEqual([
      "WEBHOOK_SECRET",
      "PORT",
      "HOST",
      "DATA_DIR",
      "GITHUB_TOKEN"
    ])
    expect(["PATH", "TZ", "NODE_ENV", "TOKEN", "SECRET"].map(meantBy)).toEqual(new Array(5).fill(undefined))
  })
})
