import { describe, expect } from "bun:test"
import { appTests, makeApp } from "../support/app.ts"

const appTest = appTests()
const ANNOUNCED = 'href="/opensearch.xml"'

describe("the library as a search engine of the browser", () => {
  appTest(
    "asks the dashboard at the address that was asked, and says nothing of the library",
    async (app) => {
      await app.capture({ url: "https://example.org/secret", note: "submarine" })
      const answer = await app.request("GET", "/opensearch.xml")
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        "application/opensearchdescription+xml; charset=utf-8"
      ])
      const text = await answer.text()
      expect(text).toContain('template="http://localhost/dashboard?q={searchTerms}"')
      expect(text).toContain("<ShortName>Linkbower</ShortName>")
      expect(text).not.toMatch(/submarine|example\.org/)
      const etag = answer.headers.get("etag") ?? ""
      const again = await app.request("GET", "/opensearch.xml", undefined, { "if-none-match": etag })
      expect(again.status).toBe(304)
      expect((await app.request("POST", "/opensearch.xml", {})).status).toBe(405)
    }
  )

  appTest("is announced by the dashboard, and by no public page", async (app) => {
    const pageOf = async (answer: Promise<Response>) => (await answer).text()
    expect(await pageOf(app.owner("GET", ""))).toContain(ANNOUNCED)
    for (const path of ["/", "/list", "/signin", "/docs/start"])
      expect([path, (await pageOf(app.request("GET", path))).includes(ANNOUNCED)]).toEqual([path, false])
  })

  appTest("has the public address, if there is one", async () => {
    const app = makeApp({ PUBLIC_URL: "https://links.example/library/" })
    const text = await (await app.request("GET", "/opensearch.xml")).text().finally(app.dispose)
    expect(text).toContain('template="https://links.example/library/dashboard?q={searchTerms}"')
  })
})
