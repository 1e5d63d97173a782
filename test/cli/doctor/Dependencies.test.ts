import { describe, expect, test } from "bun:test"
import { MODEL } from "../../../src/config/Configuration.ts"
import { examine } from "../support/doctor.ts"
import { doctorWorld } from "../support/doctorWorld.ts"

const { change, embeddings, everything, github, makeLibrary, model, service, world } = await doctorWorld()

describe("linkbower doctor, dependencies", () => {
  test("distinguishes a missing webhook, an unknown chat and a recent error", async () => {
    const now = Math.floor(Date.now() / 1000)
    world.telegram.webhook = {
      ...world.telegram.webhook,
      pending_update_count: 2,
      last_error_date: now,
      last_error_message: "Wrong response from the webhook: 403 Forbidden"
    }
    world.telegram.answer = ({ method }) =>
      method === "getChat"
        ? Response.json(
            { ok: false, error_code: 400, description: "Bad Request: chat not found" },
            { status: 400 }
          )
        : undefined
    const failing = await examine(everything())
    expect(failing.line("Telegram", "webhook")).toMatch(/^fail: .*2 updates waiting \| .*403.*WEBHOOK_SECRET/)
    expect(failing.line("Telegram", "chat")).toContain("| Send the bot a message from that chat")
    expect(failing.line("Telegram", "bot")).toStartWith("ok")
    world.telegram.webhook = { url: "", pending_update_count: 0 }
    const none = await examine({ ...everything(), ALLOWED_CHAT_ID: "", TELEGRAM_MODE: "webhook" })
    expect(none.line("Telegram", "webhook")).toContain("fail: none | No webhook is registered. Run")
    expect(none.line("Telegram", "chat")).toStartWith("off: ALLOWED_CHAT_ID is unset")
  })

  test("sends a message only to a model server without a model list", async () => {
    model.reply = (request) =>
      request.method === "POST"
        ? Response.json({ id: "m", type: "message", role: "assistant", model: "m", content: [], usage: {} })
        : new Response("", { status: 404 })
    const { line } = await examine(everything())
    expect(line("Language model", MODEL)).toStartWith("ok")
    expect(model.requests).toEqual([`GET /v1/models/${MODEL}`, "POST /v1/messages"])
    model.reply = () => new Response("", { status: 404 })
    const unknown = await examine(everything())
    expect(unknown.line("Language model", MODEL)).toContain("does not have this model (404) | Check")
  })

  test("checks the model at MODEL_URL by the server's list, or by a short answer", async () => {
    const settings = (more: Record<string, string> = {}) => ({
      ...everything(),
      MODEL_URL: `${model.url}/v1`,
      MODEL_NAME: "llama3.2",
      ...more
    })
    model.reply = () => Response.json({ object: "list", data: [{ id: "other" }, { id: "llama3.2:latest" }] })
    const listed = await examine(settings())
    expect(listed.line("Language model", "llama3.2")).toStartWith("ok: its server answers and has the model")
    expect(model.requests).toEqual(["GET /v1/models"])

    const reply =
      (list: Response | undefined, status: number, body: unknown) =>
      ({ method }: Request) =>
        method === "GET"
          ? (list?.clone() ?? new Response("", { status: 404 }))
          : Response.json(body, { status })
    model.reply = reply(undefined, 200, { choices: [{ message: { content: "1" } }] })
    const unlisted = await examine(settings())
    expect(unlisted.line("Language model", "llama3.2")).toStartWith("ok: ")

    model.reply = reply(Response.json({ data: [{ id: "other" }] }), 404, { error: "model not found" })
    const missing = await examine(settings())
    expect(missing.line("Language model", "llama3.2")).toMatch(
      /^fail: its server does not have this model \(404\) \| .*MODEL_NAME/
    )
    model.reply = () => new Response("", { status: 401 })
    const refused = await examine(settings())
    expect(refused.line("Language model", "llama3.2")).toMatch(/^fail: .*rejects the key.*MODEL_API_KEY/)

    model.reply = () => new Response("<html>Hello", { headers: { "content-type": "text/html" } })
    const page = await examine(settings())
    expect(page.line("Language model", "llama3.2")).toMatch(/^fail: .*unexpected response.*MODEL_URL/)

    const broken = await examine(settings({ MODEL_URL: "http://127.0.0.1:9", MODEL_NAME: "" }))
    expect(broken.line("Language model", "the model at 127.0.0.1:9")).toMatch(
      /^fail: .*cannot be reached.*MODEL_URL/
    )
  })

  test("recognizes a used-up limit, another version, a login page and a private address", async () => {
    github.reply = () =>
      Response.json({ resources: { core: { limit: 60, remaining: 0, reset: 1_800_000_000 } } })
    service.reply = () => Response.json({ status: "ok", version: "0.0.1", unnamedProxies: ["172.18.0.1"] })
    const one = await examine({ ...everything(), FETCH_ALLOW: "" })
    expect(one.line("GitHub", "API")).toContain("warn: 0 of 60 requests")
    expect(one.line("Service", "service")).toContain(`version 0.0.1 runs at ${service.url}, this program is`)
    expect(one.line("Service", "TRUSTED_FORWARDERS")).toMatch(
      /^warn: does not name 172\.18\.0\.1.* set TRUSTED_FORWARDERS=172\.18\.0\.1/
    )
    expect(one.line("Public address", "address")).toContain("off: ")
    service.reply = () => Response.redirect(`${github.url}/login`)
    const two = await examine({
      ...everything(),
      FETCH_ALLOW: [service, github].map(({ port }) => `127.0.0.1:${port}`).join(",")
    })
    expect(two.line("Public address", "address")).toContain(`warn: ${service.url} redirects to`)
  })

  test("warns of a wrong clock", async () => {
    github.reply = () => new Response("", { headers: { date: new Date(Date.now() - 90_000).toUTCString() } })
    const { code, line } = await examine(everything())
    expect(line("Clock", "clock")).toMatch(/^warn: (89|90)\.\d seconds ahead of 127.* NTP/)
    expect(code).toBe(0)
  })

  test("finds vectors of another embedder or length", async () => {
    await makeLibrary()
    const keep = (name: string, dimensions: number) => {
      change(
        "DELETE FROM vectors",
        "DELETE FROM embedders",
        `INSERT INTO embedders (id, name, dimensions, threshold) VALUES (7, '${name}', ${dimensions}, 0.5)`,
        "INSERT INTO vectors (link_id, embedder_id, scale, codes) VALUES (1, 7, 1, x'00')"
      )
    }
    const of = async () => (await examine(everything())).line("Embeddings", "vectors")
    expect(await of()).toBe("none")
    keep("words-9", 3)
    expect(await of()).toContain("warn: 1 vector of words-9 | The service recomputes them")
    keep(`small at 127.0.0.1:${embeddings.port}`, 4)
    expect(await of()).toContain("warn: 1 vector stored with 4 dimensions instead of 3 | The service")
    keep(`small at 127.0.0.1:${embeddings.port}`, 3)
    expect(await of()).toBe("ok: 1 vector stored | ")
  })
})
