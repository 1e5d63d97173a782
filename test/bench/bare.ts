/**
 * A minimal service as a process: `Bun.serve` over `bun:sqlite` without gates or checks. POST stores the body with one
 * commit per request; GET returns the newest 50 links of `library.db`. Prints its port.
 * `bun test/bench/bare.ts FOLDER [LIBRARY]`
 */
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { readLinks } from "./shape.ts"

const [folder = ".", library] = process.argv.slice(2)
const db = new Database(join(folder, "bare.db"))
db.run("PRAGMA journal_mode = WAL")
db.run("PRAGMA synchronous = FULL")
db.run("CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, payload TEXT)")
const keep = db.prepare("INSERT INTO inbox (key, payload) VALUES (?, ?) ON CONFLICT DO NOTHING")
const links = library === undefined ? () => [] : readLinks(library, 50)

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    if (request.method === "GET") return Response.json({ links: links(), total: 50, nextCursor: null })
    const text = await request.text()
    keep.run(String(JSON.parse(text).update_id), text)
    return new Response()
  }
})
console.log(server.port)
