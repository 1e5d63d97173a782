import { watchFile } from "./cli/FileProgress.ts"

watchFile(JSON.parse(Bun.argv.at(-1) ?? "null"))
