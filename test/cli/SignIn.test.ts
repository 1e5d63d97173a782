import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeAuthenticator } from "../support/authenticator.ts"
import { linkbower } from "../support/command.ts"
import { inDatabase, makeLibrary, numberIn } from "../support/libraryFile.ts"
import { withTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"
import { runHere } from "./support/doctor.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-signin-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = async () => {
  const folder = mkdtempSync(join(root, "place-"))
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"))
  await makeLibrary(library, 1)
  return { folder, library, settings: { DATA_DIR: join(folder, "data") } }
}

const CODE = /[A-Z\d]{5}-[A-Z\d]{5}/

describe("linkbower signin reset", () => {
  test("asks first, and changes nothing without a terminal or --yes", async () => {
    const { folder, library } = await place()
    inDatabase(library, (database) =>
      database.run("INSERT INTO signin_owner (id, handle, password) VALUES (1, 'h', 'p')")
    )
    const { code, error, out } = await linkbower(folder, "signin", "reset")
    expect([code, out, error]).toEqual([1, "", "linkbower: Nothing was reset. Pass --yes to confirm.\n"])
    expect(numberIn(library, "SELECT count(*) FROM signin_owner WHERE password = 'p'")).toBe(1)
    expect(numberIn(library, "SELECT count(*) FROM signin_code")).toBe(0)
  })

  test("removes the password, passkeys and sessions, and prints a code", async () => {
    const { library, settings } = await place()
    inDatabase(library, (database) => {
      database.run("INSERT INTO signin_owner (id, handle, password) VALUES (1, 'h', 'p')")
      database.run(
        "INSERT INTO signin_passkeys VALUES (1, 'c', 'k', 0, '[]', 'localhost', 'Key', '2026-01-01', NULL)"
      )
      database.run(
        "INSERT INTO signin_sessions VALUES (1, 's', 'password', 'd', 'a', '2026-01-01', '2026-01-01', '2999-01-01')"
      )
    })
    const { code, out } = await runHere("signin reset --yes", settings)
    expect([code, out]).toEqual([0, expect.stringMatching(CODE)])
    expect(numberIn(library, "SELECT count(*) FROM signin_passkeys")).toBe(0)
    expect(numberIn(library, "SELECT count(*) FROM signin_sessions")).toBe(0)
    expect(numberIn(library, "SELECT count(*) FROM signin_owner WHERE password IS NOT NULL")).toBe(0)
    expect(numberIn(library, "SELECT count(*) FROM signin_code")).toBe(1)
  })

  test("needs a library", async () => {
    const { code, error } = await runHere("signin reset --yes", { DATA_DIR: join(root, "nowhere") })
    expect([code, error]).toEqual([1, expect.stringContaining("No library found")])
  })
})

const secretsOf = (cookies: ReadonlyMap<string, string>) =>
  Array.from(cookies, ([name, pair]) => pair.slice(name.length + 1))

describe("the first sign-in", () => {
  long(test)(
    "leads from the code in the log to a session that survives restarts, until a reset beside the service, and to a passkey",
    async () =>
      withTestService(
        { settings: { ACCESS_AUD: undefined, ACCESS_TEAM_DOMAIN: undefined } },
        async (service) => {
          const cookies = new Map<string, string>()
          const answer = async (method: string, path: string, body?: unknown, at = service.running.base) => {
            const response = await service.client.send(method, path, body, {
              ...(cookies.size === 0 ? {} : { cookie: [...cookies.values()].join("; ") }),
              host: new URL(at).host,
              origin: at
            })
            for (const [pair = ""] of response.headers.getSetCookie().map((set) => set.split(";")))
              cookies.set(pair.split("=")[0] ?? "", pair)
            return response
          }
          const send = async (method: string, path: string, body?: unknown) =>
            (await answer(method, path, body)).status
          const meta = () => send("GET", "/dashboard/api/meta")
          const log = () => service.running.output()

          expect(await meta()).toBe(403)
          const first = CODE.exec(log())?.[0] ?? ""
          // A container's log may hold only what came after its last start.
          await service.restart("SIGTERM")
          const code = CODE.exec(log())?.[0] ?? ""
          expect(log()).not.toMatch(/ACCESS_|WEBHOOK_SECRET \(/)
          expect(log()).toMatch(/Open \/setup and enter the one-time code/)
          expect(await send("GET", "/signin/api/ways")).toBe(200)
          expect(log().match(/one-time code/g)).toHaveLength(1)
          expect(await send("POST", "/signin/api/code", { code: first })).toBe(403)
          expect(await send("POST", "/signin/api/code", { code })).toBe(204)
          expect(await meta()).toBe(403)
          expect(await send("PUT", "/signin/api/password", { password: "correct horse battery" })).toBe(204)
          expect(await meta()).toBe(200)

          for (const signal of byTier(["SIGKILL"] as const, ["SIGKILL", "SIGTERM"] as const)) {
            await service.restart(signal)
            expect(await meta()).toBe(200)
            // With a way to sign in, there is no code.
            expect(log()).not.toContain("one-time code")
          }
          const owner = secretsOf(cookies)

          const library = join(service.running.folder, "data", "library.db")
          const { code: status, out } = await linkbower(service.running.folder, "signin", "reset", "--yes")
          expect(status).toBe(0)
          expect(await meta()).toBe(403)
          cookies.clear()
          expect(await send("POST", "/signin/api/code", { code: CODE.exec(out)?.[0] })).toBe(204)
          expect(await send("PUT", "/signin/api/password", { password: "another long password" })).toBe(204)
          expect(await meta()).toBe(200)

          // A passkey needs a host with a name.
          const named = service.running.base.replace("127.0.0.1", "localhost")
          const post = (path: string, body: unknown = {}) => answer("POST", `/signin/api${path}`, body, named)
          const session = secretsOf(cookies)
          const authenticator = await makeAuthenticator(named)
          const creation = await (await post("/passkeys/options")).json()
          const added = await post("/passkeys", { response: authenticator.create(creation) })
          expect(added.status).toBe(201)
          cookies.clear()
          const options = await (await post("/passkey/options")).json()
          const response = await authenticator.sign(options)
          expect((await post("/passkey", { response })).status).toBe(204)
          expect(await meta()).toBe(200)

          const secrets = ["correct horse", "another long", ...owner, ...session]
          const written = [log(), readFileSync(library, "latin1"), readFileSync(`${library}-wal`, "latin1")]
          for (const secret of secrets) {
            expect(secret.length).toBeGreaterThan(10)
            for (const text of written) expect(text).not.toContain(secret)
          }
          const hash = inDatabase(library, (database) =>
            database.query<{ password: string }, []>("SELECT password FROM signin_owner").get()
          )
          expect(log()).not.toContain(hash?.password ?? "argon2id")
        }
      )
  )
})
