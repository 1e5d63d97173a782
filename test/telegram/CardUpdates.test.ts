import { describe, expect } from "bun:test"
import { chatTests, dataOf, labelsOf, readOf } from "../support/ownerChat.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"

const chatTest = chatTests()
describe("the card of a link that is deleted", () => {
  chatTest("loses its buttons, wherever it was deleted", async ({ app, lastId, save, say }) => {
    await save("A page")
    const first = lastId()
    await say("#1")
    const second = lastId()
    const edits = () => app.edits.filter(({ html }) => html === "#1 was moved to the trash.")
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    await until(() => edits().length === 2)
    expect(new Set(edits().map(({ messageId }) => messageId))).toEqual(new Set([first, second]))
    expect(edits().flatMap(labelsOf)).toEqual([])
    await app.settled()
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1], forever: true })
    const forGood = () => app.edits.filter(({ html }) => html === "#1 was deleted for good.")
    await until(() => forGood().length === 2)
  })

  chatTest("is a card again when the link has come back, however it was deleted", async (chat) => {
    const { app, lastId, save, say } = chat
    await save("A page")
    const first = lastId()
    const shownAt = (id: number) => app.edits.findLast(({ messageId }) => messageId === id)
    await say("/delete #1")
    const reply = lastId()
    await until(() => shownAt(first)?.html === "#1 was moved to the trash.")
    await app.settled()
    await say("/undo")
    await until(() => [first, reply].every((id) => labelsOf(shownAt(id)).flat().includes("🗑 Delete")))
  })

  chatTest("keeps the undo of its own button, and has its buttons again after it", async (chat) => {
    const { app, lastEdit, lastId, press, save } = chat
    const card = await save("A page")
    const at = lastId()
    await press(dataOf(card, "🗑"), at)
    expect(readOf(lastEdit())).toContain("Moved to the trash")
    await press(dataOf(lastEdit(), "↩ Undo"), at)
    expect(labelsOf(lastEdit()).flat()).toContain("🗑 Delete")
    expect(app.edits.some(({ html }) => /^#1 was/.test(html))).toBe(false)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    await until(() => lastEdit()?.html === "#1 was moved to the trash.")
  })

  long(chatTest)("is one of the newest thirty after a mass delete", async ({ app, saveAll, say }) => {
    const ids = Array.from({ length: 33 }, (_, n) => n + 1)
    await saveAll(ids.map((n) => `Page ${n}`))
    for (const id of ids) await say(`#${id}`)
    await app.owner("POST", "/api/mutate", { op: "delete", ids })
    const edits = () => app.edits.filter(({ html }) => html.endsWith("was moved to the trash."))
    await until(() => edits().length === 30)
    await app.settled()
    expect(edits().map(({ html }) => html)).not.toContain("#3 was moved to the trash.")
    expect(edits()).toHaveLength(30)
  })

  chatTest("says nothing more of a link that is saved again", async ({ app, save }) => {
    await save("A page")
    await save("Another page")
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1, 2], forever: true })
    await until(() => app.edits.filter(({ html }) => html.endsWith("was deleted for good.")).length === 2)
    await save("A page")
    expect(app.edits.filter(({ html }) => html.endsWith("was deleted for good."))).toHaveLength(2)
  })
})
