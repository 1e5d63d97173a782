import { afterAll, describe, expect, test } from "bun:test"
import { CHAT, until, update } from "../support/service.ts"
import { type TestService, useTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

const SUMMARY = "Says at length what the page is about."

/** A local model that answers only once it is released, and counts the requests that it works on at a time. */
const makeModel = () => {
  let held = Promise.withResolvers<void>()
  const fake = {
    requests: 0,
    atOnce: 0,
    most: 0,
    release: () => held.resolve(),
    /** Holds what is asked from now on, and counts again. */
    hold: () => {
      held = Promise.withResolvers<void>()
      Object.assign(fake, { requests: 0, most: 0 })
    }
  }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async () => {
      fake.requests++
      fake.most = Math.max(fake.most, ++fake.atOnce)
      await held.promise
      fake.atOnce--
      return Response.json({
        model: "llama3.2",
        choices: [
          { message: { content: JSON.stringify({ summary: SUMMARY, tags: ["llama"], category: "reading" }) } }
        ]
      })
    }
  })
  const url = `http://127.0.0.1:${server.port}/v1`
  return Object.assign(fake, { url, stop: () => server.stop(true) })
}

const pageOf = ({ world }: TestService, n: number) => `${world.pages.url}/plain?t=Page-${n}`

const calls = ({ world }: TestService, method: string) =>
  world.telegram.calls.filter((call) => call.method === method)

const cardOf = (service: TestService, n: number) =>
  calls(service, "sendMessage").find(({ body }) => String(body["text"]).includes(`Page-${n}`))

const isEdited = (service: TestService) =>
  calls(service, "editMessageText").some(({ body }) => String(body["text"]).includes(SUMMARY))

describe("a model that takes long", () => {
  const model = makeModel()
  const service = useTestService(() => ({
    settings: { ANTHROPIC_API_KEY: undefined, MODEL_URL: model.url, MODEL_NAME: "llama3.2" }
  }))
  afterAll(model.stop)
  const withModel = (body: (service: TestService, fake: typeof model) => Promise<void>) => {
    model.hold()
    service().world.telegram.calls.length = 0
    return body(service(), model)
  }

  // First, because the card's message has the first number.
  long(test)("does not replace what a button of the card has shown since", () =>
    withModel(async (service, model) => {
      const { client } = service
      await client.webhook(update(pageOf(service, 3)))
      const card = await until(() => cardOf(service, 3))
      const press = async (body: Readonly<Record<string, unknown>>, label: string) => {
        const rows: ReadonlyArray<ReadonlyArray<Record<string, string>>> = Object(
          body["reply_markup"]
        ).inline_keyboard
        const data = rows.flat().find(({ text }) => text?.includes(label))?.["callback_data"]
        const { update_id } = update("")
        await client.webhook({
          update_id,
          callback_query: {
            id: `press ${update_id}`,
            from: { id: CHAT, is_bot: false },
            chat_instance: "1",
            message: { message_id: 500_001, date: 1, chat: { id: CHAT, type: "private" } },
            data
          }
        })
      }
      const edits = () => calls(service, "editMessageText").map(({ body }) => body)
      await press(card.body, "📁 Collection")
      const [picker = {}] = await until(() => (edits().length === 1 ? edits() : undefined))
      expect(JSON.stringify(picker)).toContain("Another…")
      model.release()
      await until(async () => (await client.links())[0]?.enrichment === "complete")
      // The answer comes after what was queued before it.
      await client.webhook(update("/help"))
      await until(() => calls(service, "sendMessage").length === 2)
      expect(edits()).toHaveLength(1)
      await press(picker, "Cancel")
      await until(() => isEdited(service))
    })
  )

  long(test)("does not delay a link's card, which is edited when the summary comes", () =>
    withModel(async (service, model) => {
      const { client } = service
      await client.webhook(update(pageOf(service, 1)))
      const card = await until(() => cardOf(service, 1))
      expect(card.body["text"]).toContain("The model is still writing the summary.")
      const [before] = await client.links()
      expect(before).toMatchObject({ title: "Page-1", summary: "", enrichment: "partial" })
      expect(calls(service, "editMessageText")).toHaveLength(0)
      model.release()
      await until(() => isEdited(service))
      const edits = calls(service, "editMessageText")
      expect(edits).toHaveLength(1)
      expect(edits[0]?.body["text"]).not.toContain("still writing")
      const [after] = await client.links()
      expect(after).toMatchObject({
        summary: SUMMARY,
        tags: ["llama"],
        category: "reading",
        model: "llama3.2",
        enrichment: "complete"
      })
      expect(model.requests).toBe(1)
      expect(service.world.telegram.problems).toEqual([])
    })
  )

  long(test)("is asked again after a restart, and the card is edited then", () =>
    withModel(async (service, model) => {
      const { client } = service
      await client.webhook(update(pageOf(service, 2)))
      await until(() => cardOf(service, 2))
      expect(await service.restart()).toBe(0)
      model.release()
      await until(() => isEdited(service))
      expect(model.requests).toBe(2)
      expect((await client.links())[0]).toMatchObject({ summary: SUMMARY, enrichment: "complete" })
    })
  )

  test("is asked about two links at a time, while all pages are read", () =>
    withModel(async (service, model) => {
      const { client } = service
      const many = byTier(6, 24)
      for (let n = 100; n < 100 + many; n++) await client.webhook(update(pageOf(service, n)))
      await until(
        async () =>
          (await client.links("?limit=100")).filter(({ title }) => /^Page-1\d\d$/.test(title)).length === many
      )
      expect(model.requests).toBe(2)
      model.release()
      await until(
        async () =>
          (await client.links("?limit=100")).filter(
            ({ enrichment, title }) => enrichment === "complete" && /^Page-1\d\d$/.test(title)
          ).length === many
      )
      expect(model.most).toBe(2)
      expect(model.requests).toBe(many)
    }))
})
