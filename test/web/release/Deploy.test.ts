import { describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { allSettings } from "../../../src/config/Configuration.ts"
import { MAX_UPLOAD } from "../../../src/shared/Limits.ts"

const ROOT = resolve(import.meta.dir, "../../..")
const DEPLOY = join(ROOT, "web/docs/deploy")
const deployed = (file: string) => readFileSync(join(DEPLOY, file), "utf8")

/** Returns the values of a unit's key, in their order. */
const unit = (file: string) => {
  const lines = [...deployed(file).matchAll(/^(\w+)=(.*)$/gm)]
  return (key: string) => lines.flatMap(([, name, value = ""]) => (name === key ? [value] : []))
}

const names = allSettings.map(({ name }) => name)
const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8")

/** Runs a tool that checks a file; returns its output if it fails, else "". */
const check = async (...command: ReadonlyArray<string>) => {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return (await child.exited) === 0 ? "" : said
}

describe("the systemd units", () => {
  test("let the service read its secrets from files, so that a change needs no restart", () => {
    const service = unit("linkbower.service")
    expect(service("Environment")).toContain("SECRETS_DIR=/etc/linkbower/secrets")
    for (const key of ["LoadCredential", "LoadCredentialEncrypted", "SetCredential", "InaccessiblePaths"])
      expect(service(key)).toEqual([])
    const head = deployed("linkbower.service")
    expect(head).toContain(
      "install -d -o linkbower -g linkbower -m 0700 /etc/linkbower /etc/linkbower/secrets"
    )
  })

  test("allow the compiler's memory, and restrict everything else", () => {
    const service = unit("linkbower.service")
    expect(service("MemoryDenyWriteExecute")).toEqual([])
    expect(service("NoNewPrivileges")).toEqual(["yes"])
    expect(service("ProtectSystem")).toEqual(["strict"])
    expect(service("ReadWritePaths")).toEqual(["/var/lib/linkbower -/etc/linkbower/secrets"])
    expect(service("CapabilityBoundingSet")).toEqual([""])
    expect(service("IPAddressDeny")).toEqual(["link-local multicast"])
  })

  test("start the service for a user in folders of that user alone", () => {
    const user = unit("linkbower-user.service")
    expect(user("ExecStart")).toEqual(["%h/.local/bin/linkbower serve"])
    expect(user("Environment")).toEqual(["DATA_DIR=%h/.local/share/linkbower"])
    expect(user("UMask")).toEqual(["0077"])
    expect(user("MemoryDenyWriteExecute")).toEqual([])
    expect(user("WantedBy")).toEqual(["default.target"])
  })

  test("name existing settings", () => {
    for (const pair of unit("linkbower.service")("Environment").flatMap((line) => line.split(" ")))
      expect([pair, names.includes(pair.split("=")[0] ?? "")]).toEqual([pair, true])
    expect(unit("linkbower-backup.service")("Environment")).toEqual(["DATA_DIR=/var/lib/linkbower KEEP=14"])
  })

  test("keep the newest copies of the library, and remove no other file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-prune-"))
    const copies = Array.from({ length: 20 }, (_, day) => `library-2026-01-${10 + day}T033000Z.db`)
    for (const name of [...copies, "library.db", "notes.txt"]) writeFileSync(join(folder, name), "")
    const script = unit("linkbower-backup.service")("ExecStartPost")[0]
      ?.replace(/^\/bin\/sh -ec '(.*)'$/, "$1")
      .replaceAll("$$", "$")
      .replaceAll("/var/backups/linkbower", folder)
    const child = Bun.spawn(["/bin/sh", "-ec", script ?? "exit 9"], {
      env: { PATH: "/usr/bin:/bin", KEEP: "14" }
    })
    expect(await child.exited).toBe(0)
    expect(readdirSync(folder).sort()).toEqual([...copies.slice(6), "library.db", "notes.txt"])
    rmSync(folder, { recursive: true })
  })

  test.skipIf(Bun.which("systemd-analyze") === null)("have a low exposure by systemd's measure", async () => {
    for (const file of ["linkbower.service", "linkbower-backup.service"]) {
      const path = join(DEPLOY, file)
      expect(await check("systemd-analyze", "security", "--offline=true", "--threshold=20", path)).toBe("")
    }
  })
})

interface Compose {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const isCompose = (value: unknown): value is Compose =>
  typeof value === "object" && value !== null && "services" in value

describe("the script lb", () => {
  test("runs a command with the settings of the unit", () => {
    const text = deployed("lb")
    for (const pair of unit("linkbower.service")("Environment"))
      expect(text).toContain(pair.replace("=/etc/linkbower/", "="))
    expect(text).toContain(`-C ${unit("linkbower.service")("WorkingDirectory")[0]} `)
    expect(text).toStartWith("#!/bin/sh\n")
  })
})

describe("the container", () => {
  test("has this version, and runs as an unprivileged user", () => {
    expect(DOCKERFILE).toContain(`ARG VERSION=${manifest.version}\n`)
    expect(DOCKERFILE).toContain(`oven/bun:${Bun.version}`)
    expect(DOCKERFILE).toMatch(/^USER 10001:10001$/m)
    expect(DOCKERFILE).toMatch(/^HEALTHCHECK .*CMD \["linkbower", "health"\]$/m)
  })

  test("uses existing settings, and listens where compose expects it", () => {
    const variables = /^ENV (.+)$/m.exec(DOCKERFILE)?.[1]?.split(" ") ?? []
    expect(variables).toContain("HOST=0.0.0.0")
    expect(variables).toContain("PORT=8787")
    for (const pair of variables) expect(names).toContain(pair.split("=")[0] ?? "")
    expect(deployed("compose.yaml")).toContain("127.0.0.1:8787:8787")
  })

  test("can write to its volume only, and has no capabilities, under compose", () => {
    const compose: unknown = Bun.YAML.parse(deployed("compose.yaml"))
    if (!isCompose(compose)) throw new Error("compose.yaml has no services")
    const service = compose.services["linkbower"]
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      healthcheck: { test: ["CMD", "linkbower", "health"] },
      volumes: ["library:/data"]
    })
    for (const name of Object.keys(service?.["environment"] ?? {})) expect(names).toContain(name)
  })

  test("is built from the checkout if there is no released image", () => {
    const compose: unknown = Bun.YAML.parse(deployed("compose.yaml"))
    if (!isCompose(compose)) throw new Error("compose.yaml has no services")
    const { build, image } = compose.services["linkbower"] ?? {}
    expect([image, build]).toEqual([
      expect.stringMatching(/^\$\{LINKBOWER_IMAGE:-linkbower:latest\}$/),
      expect.stringMatching(/^\$\{LINKBOWER_SOURCE:-[./]+\}$/)
    ])
    const [, source = ""] = /:-([./]+)\}$/.exec(String(build)) ?? []
    expect(readdirSync(join(DEPLOY, source))).toContain("Dockerfile")
  })

  test("keeps its settings in its volume, where the set-up page can write them", () => {
    expect(DOCKERFILE).toMatch(/^ENV .*DATA_DIR=\/data ENV_FILE=\/data\/\.env$/m)
    expect(DOCKERFILE).toMatch(/^VOLUME \/data$/m)
    expect(DOCKERFILE).toMatch(/^FROM gcr\.io\/distroless\/base-nossl-debian13$/m)
  })

  test("is built without secrets and libraries", () => {
    const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n")
    for (const name of [".env", ".git", "*.db", "*.db-wal", "**/secrets", "data", "node_modules"])
      expect(ignored).toContain(name)
  })
})

describe("the reverse proxy", () => {
  test("accepts imports as large as the service does", () => {
    const [, limit] = /max_size (\d+)MiB/.exec(deployed("Caddyfile")) ?? []
    expect(Number(limit) * 1024 ** 2).toBeGreaterThan(MAX_UPLOAD)
  })

  test.skipIf(Bun.which("caddy") === null)("is valid to Caddy", async () => {
    const file = join(DEPLOY, "Caddyfile")
    expect(await check("caddy", "validate", "--adapter", "caddyfile", "--config", file)).toBe("")
  })

  test("has valid YAML files", () => {
    for (const file of ["cloudflared.yml", "litestream.yml"])
      expect(Bun.YAML.parse(deployed(file))).toBeInstanceOf(Object)
  })
})
