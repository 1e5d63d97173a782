/** Adds links to the library whose file is named, one transaction each, until it is killed; prints a line when it begins. */
import { Database } from "bun:sqlite"
import { addLink } from "./libraryFile.ts"

const database = new Database(process.argv[2] ?? "")
database.run("PRAGMA busy_timeout = 5000")
database.run("PRAGMA foreign_keys = ON")
for (let i = 0; ; i++) {
  database.transaction(() => addLink(database, `written${i}`)).immediate()
  if (i === 0) console.log("writing")
}
