import { describe, expect, test } from "bun:test"
import { isArchivable, withoutFragment } from "../../../src/enrich/archive/WaybackMachine.ts"

describe("an address may be told to an archive", () => {
  test.each([
    "https://example.org/",
    "https://example.org/2026/03/how-to-bake-a-loaf-of-rye-bread.html?page=2&lang=de",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42",
    "https://news.ycombinator.com/item?id=41234567",
    "https://93.184.216.34/a",
    "https://de.wikipedia.org/wiki/Donaudampfschifffahrtsgesellschaft"
  ])("%s", (url) => expect(isArchivable(new URL(url))).toBe(true))
})

describe("an address is told to nobody", () => {
  test.each([
    "http://localhost/",
    "http://nas/photos",
    "http://printer.local/",
    "https://wiki.corp/",
    "http://10.0.0.1/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "https://user:password@example.org/",
    "https://user@example.org/",
    "https://example.org:8443/",
    "ftp://example.org/",
    "https://example.org/reset?token=abc",
    "https://example.org/a?access_token=1",
    "https://example.org/a?X-Amz-Signature=00ff",
    "https://example.org/a?sig=1&se=2",
    "https://example.org/a?api_key=1",
    "https://example.org/callback?code=4%2F0A",
    "https://example.org/a?PHPSESSID=1",
    "https://example.org/invite/5f0c2a3e-8a3b-4c1d-9e2f-0a1b2c3d4e5f",
    "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz012345/edit",
    "https://example.org/s/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "https://example.org/u?h=d41d8cd98f00b204e9800998ecf8427e"
  ])("%s", (url) => expect(isArchivable(new URL(url))).toBe(false))
})

test("a fragment is never sent", () =>
  expect(withoutFragment(new URL("https://example.org/a?b=c#access_token=d"))).toBe(
    "https://example.org/a?b=c"
  ))
