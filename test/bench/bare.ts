/**
 * The least a service could do, as its own process: `Bun.serve` over `bun:sqlite`, one commit a request, no gates, no
 * checks. Prints its port. `bun test/bench/bare.ts FOLDER LINKS`
 */
import { Database } from "bun:sqlite"
import { join } from "node:path"

const [folder = ".", links = "0"] = process.argv.slice(2)
const db = new Database(join(folder, "bare.db"))
db.run("PRAGMA journal_mode = WAL")
db.run("PRAGMA synchronous = FULL")
db.run("CREATE TABLE inbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, payload TEXT)")
db.run(`CREATE TABLE links (id INTEGER PRIMARY KEY, url TEXT, host TEXT, title TEXT, note TEXT, summary TEXT, description TEXT,
  tags TEXT, category TEXT, favorite INTEGER, shareable INTEGER, created_at TEXT, updated_at TEXT)`)
const insertLink = db.prepare("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
db.transaction(() => {
  for (let id = 1; id <= Number(links); id++) {
    const at = new Date(1.7e12 + id * 1000).toISOString()
    const title = `A title about subject ${id % 97} and matter ${id % 1009}`
    const text = `What a page of some length says about subject ${id % 97}, in about as many words as a summary has.`
    insertLink.run(
      id,
      `https://example.org/${id}`,
      "example.org",
      title,
      "",
      text,
      text,
      '["one","two"]',
      "reading",
      0,
      0,
      at,
      at
    )
  }
})()
const keep = db.prepare("INSERT INTO inbox (key, payload) VALUES (?, ?) ON CONFLICT DO NOTHING")
const list = db.query("SELECT * FROM links ORDER BY created_at DESC LIMIT 50")
db.run("CREATE INDEX links_created ON links (created_at)")

interface Row {
  readonly tags: string
  readonly favorite: number
  readonly shareable: number
}
const shape = (row: Row) => ({
  ...row,
  tags: JSON.parse(row.tags),
  collection: null,
  repository: null,
  favorite: row.favorite === 1,
  shareable: row.shareable === 1
})

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    if (request.method === "POST") {
      const text = await request.text()
      keep.run(String(JSON.parse(text).update_id), text)
      return new Response()
    }
    const rows = list.all() as Array<Row>
    return Response.json({ links: rows.map(shape), total: Number(links), nextCursor: null })
  }
})
console.log(server.port)
