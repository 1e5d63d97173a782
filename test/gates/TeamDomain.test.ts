import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { parseTeam } from "../../src/gates/TeamDomain.ts"

const read = (text: string) =>
  Option.getOrNull(Option.map(parseTeam(text), ({ certs, issuer }) => [issuer, certs.href]))

describe("parseTeam", () => {
  for (const spelling of [
    "team.cloudflareaccess.com",
    "team.cloudflareaccess.com/",
    "https://team.cloudflareaccess.com",
    "https://team.cloudflareaccess.com/",
    "HTTPS://Team.CloudflareAccess.com",
    "https://team.cloudflareaccess.com:443"
  ])
    test(`knows the team by ${spelling}`, () =>
      expect(read(spelling)).toEqual([
        "https://team.cloudflareaccess.com",
        "https://team.cloudflareaccess.com/cdn-cgi/access/certs"
      ]))

  for (const host of [
    "http://127.0.0.1:8080",
    "http://127.9.9.9:8080/",
    "http://localhost:1",
    "http://[::1]:1"
  ])
    test(`takes plain http of ${host}`, () => expect(read(host)?.[0]).toBe(host.replace(/\/$/, "")))

  for (const wrong of [
    "",
    " ",
    "http://team.cloudflareaccess.com",
    "http://10.0.0.1",
    "http://localhost.example.org",
    "http://127.0.0.1.example.org",
    "ftp://team.cloudflareaccess.com",
    "https://user@team.cloudflareaccess.com",
    "https://team.cloudflareaccess.com/path",
    "https://team.cloudflareaccess.com/?q",
    "https://",
    "javascript:alert(1)"
  ])
    test(`knows no team by ${JSON.stringify(wrong)}`, () => expect(read(wrong)).toBeNull())
})
