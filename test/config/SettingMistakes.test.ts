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

/** A wrong value, and what is said of it. */
const wrong = rowsOf<readonly [name: string, value: string, sentence: string]>(
  import.meta,
  "SettingMistakes.wrong"
)

describe("a mistake in a setting", () => {
  for (const [name, value, sentence] of wrong)
    test(`${name}=${value}`, async () => expect(await mistakes({ [name]: value })).toEqual([sentence]))
  test("is in the table at least 40 times", () => expect(wrong.length).toBeGreaterThan(40))

  test("names its file, and allows the quotes of a dotenv file", async () => {
    const cwd = mkdtempSync(join(folder, "file-"))
    mkdirSync(join(cwd, "secrets"))
    writeFileSync(join(cwd, ".env"), 'MODEL_NAME="llama"\nSECRETS_DIR=secrets\nPORT="a"\n')
    writeFileSync(join(cwd, "secrets/GITHUB_TOKEN"), "abc\n\n")
    expect(await mistakes({}, cwd)).toEqual([
      "PORT in .env is not usable. Expected a port: a whole number from 0 (any free one) to 65535.",
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
