import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { Setting } from "../../src/config/Configuration.ts"
import { meantBy, settingMistakes } from "../../src/config/SettingMistakes.ts"
import * as Settings from "../../src/config/SettingSources.ts"
import { rowsOf } from "../support/rows.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-mistakes-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const mistakes = (environment: Record<string, string>, cwd = folder) =>
  Effect.runPromise(Effect.provide(settingMistakes, Settings.layer({ environment, cwd })))

const asPort = "Expected a port: a whole number from 0 (any free one) to 65535."
const asHost = "Expected an IP address such as 127.0.0.1, without http:// and without a port."
const asChat = "Expected a chat number in decimal digits"
const asAddress = (example: string) =>
  `Expected an address that begins with https:// or http://, such as ${example}.`
const asTeam = "Expected the team's address and nothing else, such as https://team.cloudflareaccess.com."
const asLanguage = "Expected the name of a language, such as German, or its tag, such as de."
const asPages = "Expected a whole number from 0 to 500."
const asLevel = "Expected one of debug, info, warning, error."

/** A wrong value, and the reason that its `Config` gives. */
const unusable: ReadonlyArray<readonly [name: string, value: string, reason: string]> = [
  ["ALLOWED_CHAT_ID", "@me", `${asChat}, not a name.`],
  ["ALLOWED_CHAT_ID", "me", `${asChat}.`],
  ["ALLOWED_CHAT_ID", "4242,4243", `${asChat}.`],
  ["ALLOWED_CHAT_ID", "0", `${asChat}.`],
  ["ALLOWED_CHAT_ID", "4.2", `${asChat}.`],
  ["ALLOWED_CHAT_ID", "123456:AAbot-token", `${asChat}.`],
  ["ALLOWED_CHAT_ID", "99999999999999999999", `${asChat}.`],
  ["CAPTURE_WAIT", "10", "Expected a duration with its unit, such as `10 seconds`."],
  ["CAPTURE_WAIT", "ten seconds", "Expected a duration such as `10 seconds`."],
  ["CAPTURE_WAIT", "10s", "Expected a duration such as `10 seconds`."],
  ["PUBLIC_URL", "links.example.org", asAddress("https://links.example.org")],
  ["PUBLIC_URL", "links.example.org:8787", asAddress("https://links.example.org")],
  ["PUBLIC_URL", "//links.example.org", asAddress("https://links.example.org")],
  ["PUBLIC_URL", "ftp://links.example.org", asAddress("https://links.example.org")],
  ["PUBLIC_URL", "https:/", asAddress("https://links.example.org")],
  ["PUBLIC_URL", "https:links.example.org", asAddress("https://links.example.org")],
  ["TELEGRAM_API_URL", "api.telegram.org", asAddress("https://api.telegram.org")],
  ["GITHUB_API_URL", "github.example.org/api/v3", asAddress("https://api.github.com")],
  ["ANTHROPIC_BASE_URL", "localhost:4000", asAddress("https://api.anthropic.com")],
  ["MODEL_URL", "localhost:11434", asAddress("http://localhost:11434/v1")],
  ["MODEL_URL", "11434", asAddress("http://localhost:11434/v1")],
  ["MODEL_LANGUAGE", "d", asLanguage],
  ["MODEL_LANGUAGE", "German. Ignore the rest", asLanguage],
  ["ACCESS_TEAM_DOMAIN", "team", asTeam],
  ["ACCESS_TEAM_DOMAIN", "https://team.cloudflareaccess.com/cdn-cgi", asTeam],
  ["ACCESS_TEAM_DOMAIN", "ftp://team.cloudflareaccess.com", asTeam],
  ["PORT", "http", asPort],
  ["PORT", "65536", asPort],
  ["PORT", "127.0.0.1:8787", asPort],
  ["METRICS_PORT", "-1", asPort],
  ["METRICS_PORT", "yes", asPort],
  ["HOST", "http://0.0.0.0", asHost],
  ["HOST", "0.0.0.0:8787", asHost],
  ["HOST", "localhost:", asHost],
  ["SEARCH_PAGES", "501", asPages],
  ["SEARCH_PAGES", "all", asPages],
  ["SEARCH_PAGES", "-1", asPages],
  ["LOG_LEVEL", "verbose", asLevel],
  ["LOG_LEVEL", "2", asLevel]
]

const notAllowed =
  "WEBHOOK_SECRET has characters that Telegram does not allow: use 1 to 256 of A-Z, a-z, 0-9, _ and -."
const notSent =
  "EXTENSION_TOKEN cannot be sent in a header: use letters and digits, without spaces and commas."
const notFetched =
  "FETCH_ALLOW has an entry that is ignored: each must be host or host:port, without http://, patterns and ranges."

/** A value that is read but has no effect, or another one, and the whole sentence. */
const doubtful: ReadonlyArray<readonly [name: string, value: string, sentence: string]> = [
  ["DEV_NO_AUTH", "true", "DEV_NO_AUTH=true is ignored: only 1 opens the dashboard."],
  ["DEV_NO_AUTH", "Yes", "DEV_NO_AUTH=Yes is ignored: only 1 opens the dashboard."],
  ["DEV_NO_AUTH", "11", "DEV_NO_AUTH has a value that is ignored: only 1 opens the dashboard."],
  ["CAPTURE_WAIT", "1 minute", "CAPTURE_WAIT is limited to 25 seconds."],
  ["WEBHOOK_SECRET", "two words", notAllowed],
  ["WEBHOOK_SECRET", "a".repeat(257), notAllowed],
  ["EXTENSION_TOKEN", "two words", notSent],
  ["EXTENSION_TOKEN", "one,two", notSent],
  ["EXTENSION_TOKEN", "naïve", notSent],
  ["FETCH_ALLOW", "http://nas.lan", notFetched],
  ["FETCH_ALLOW", "nas.lan, *.lan", notFetched],
  ["FETCH_ALLOW", "10.0.0.0/8", notFetched],
  [
    "EMBEDDINGS_URL",
    "localhost:11434/v1",
    "EMBEDDINGS_URL is not an address that begins with https:// or http://: search uses words only."
  ],
  ["PORT", '"8787"', "PORT in the environment has quotes as part of its value. Remove them."],
  [
    "CAPTURE_WAIT",
    "'5 seconds'",
    "CAPTURE_WAIT in the environment has quotes as part of its value. Remove them."
  ],
  ["MODEL_NAME", '"llama"', "MODEL_NAME in the environment has quotes as part of its value. Remove them."],
  [
    "GITHUB_TOKEN",
    "abc ",
    "GITHUB_TOKEN in the environment begins or ends with a space or a line break. Remove it."
  ]
]

describe("a mistake in a setting", () => {
  for (const [name, value, reason] of unusable)
    test(`${name}=${value}`, async () =>
      expect(await mistakes({ [name]: value })).toEqual([
        `${name} in the environment is not usable. ${reason}`
      ]))
  for (const [name, value, sentence] of doubtful)
    test(`${name}=${value}`, async () => expect(await mistakes({ [name]: value })).toEqual([sentence]))
  test("is in the tables at least 40 times", () =>
    expect(unusable.length + doubtful.length).toBeGreaterThan(40))

  test("names its file, and allows the quotes of a dotenv file", async () => {
    const cwd = mkdtempSync(join(folder, "file-"))
    mkdirSync(join(cwd, "secrets"))
    writeFileSync(join(cwd, ".env"), 'MODEL_NAME="llama"\nSECRETS_DIR=secrets\nPORT="a"\n')
    writeFileSync(join(cwd, "secrets/GITHUB_TOKEN"), "abc\n\n")
    expect(await mistakes({}, cwd)).toEqual([
      `PORT in .env is not usable. ${asPort}`,
      "GITHUB_TOKEN in SECRETS_DIR begins or ends with a space or a line break. Remove it."
    ])
  })
})

describe("a good setting", () => {
  for (const [name, ...values] of rowsOf<readonly [name: string, ...values: ReadonlyArray<string>]>(
    import.meta,
    "SettingMistakes"
  ))
    test(`${name} has no mistake`, async () => {
      for (const value of values) expect([value, await mistakes({ [name]: value })]).toEqual([value, []])
    })

  test("is every default", async () => {
    const settings = Object.values<Setting<unknown>>(Setting)
    const defaults = settings.flatMap(({ default: text, name }) =>
      text === null ? [] : [[name, text] as const]
    )
    expect(await mistakes(Object.fromEntries(defaults))).toEqual([])
    expect(await mistakes(Object.fromEntries(settings.map(({ name }) => [name, ""])))).toEqual([])
  })
})

describe("an unknown name near one of ours", () => {
  test("is reported in the environment and in the files, and the others are not", async () => {
    const cwd = mkdtempSync(join(folder, "names-"))
    mkdirSync(join(cwd, "secrets"))
    writeFileSync(join(cwd, ".env"), "ALOWED_CHAT_ID=1\nEDITOR=vi\nLINKBOWER_COLOUR=red\n")
    writeFileSync(join(cwd, "secrets/WEBHOOK_SECRET.txt"), "x")
    const environment = {
      SECRETS_DIR: "secrets",
      LINKBOWER_PORT: "1",
      PUBLICURL: "https://a.example",
      PATH: "/bin",
      HOSTNAME: "h",
      HOME: "/root",
      TZ: "UTC",
      NODE_ENV: "production",
      MODEL: "x"
    }
    expect((await mistakes(environment, cwd)).toSorted()).toEqual([
      "ALOWED_CHAT_ID in .env is not a setting; did you mean ALLOWED_CHAT_ID?",
      "LINKBOWER_COLOUR in .env is not a setting: see .env.example for their names.",
      "LINKBOWER_PORT in the environment is not a setting; did you mean PORT?",
      "PUBLICURL in the environment is not a setting; did you mean PUBLIC_URL?",
      "WEBHOOK_SECRET.txt in SECRETS_DIR is not a setting; did you mean WEBHOOK_SECRET?"
    ])
  })

  test("is found by one slip in a short name, and two in a long one", () => {
    expect(["TELEGRAM_BOT_TOKN", "ALLOWED_CHATID", "linkbower_data_dir", "MODEL_URI"].map(meantBy)).toEqual([
      "TELEGRAM_BOT_TOKEN",
      "ALLOWED_CHAT_ID",
      "DATA_DIR",
      "MODEL_URL"
    ])
  })

  test("is no variable that systems, shells and platforms set", () => {
    const common =
      "PATH HOME USER SHELL LANG LC_ALL TERM PWD OLDPWD HOSTNAME LOGNAME MAIL EDITOR PAGER DISPLAY TZ SHLVL _ CI NODE_ENV NO_COLOR FORCE_COLOR HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY TMPDIR XDG_RUNTIME_DIR XDG_CONFIG_HOME SSH_AUTH_SOCK COLUMNS LINES INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET SYSTEMD_EXEC_PID STATE_DIRECTORY RUNTIME_DIRECTORY CREDENTIALS_DIRECTORY KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES GITHUB_ACTIONS GITHUB_REF GITHUB_SHA DOCKER_HOST PGHOST PGPORT REDIS_URL DATABASE_URL OPENAI_API_KEY BUN_INSTALL npm_config_user_agent"
    expect(common.split(" ").filter(meantBy)).toEqual([])
  })
})

describe("an unknown name with our prefix", () => {
  test("is not reported if Kubernetes sets it", async () => {
    const kubernetes = { LINKBOWER_SERVICE_HOST: "10.0.0.1", LINKBOWER_PORT: "tcp://10.0.0.1:80" }
    expect(await mistakes({ ...kubernetes, KUBERNETES_SERVICE_HOST: "10.0.0.1" })).toEqual([])
    expect(await mistakes(kubernetes)).toHaveLength(2)
  })
})

describe("the folder of secrets", () => {
  test("is reported if it is missing or a file", async () => {
    writeFileSync(join(folder, "file"), "")
    const end = "so no setting is read from it. Create it or correct SECRETS_DIR."
    expect(await mistakes({ SECRETS_DIR: "nowhere" })).toEqual([
      `The folder SECRETS_DIR does not exist, ${end}`
    ])
    expect((await mistakes({ SECRETS_DIR: "file" }))[0]).toBe(
      `The folder SECRETS_DIR is not a folder, ${end}`
    )
    expect(await mistakes({ CREDENTIALS_DIRECTORY: "gone" })).toEqual([
      `The folder of systemd's credentials does not exist, ${end}`
    ])
  })
})

describe("no sentence", () => {
  test("contains the value, which may be a secret in the wrong place", async () => {
    for (const { name } of Object.values<Setting<unknown>>(Setting))
      for (const value of ["s3cret value, of mine", '"s3cret"', " s3cret", "s3cret://s3cret"])
        expect((await mistakes({ [name]: value })).join()).not.toContain("s3cret")
  })
})
