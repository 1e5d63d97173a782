import { helpCheck, type TableCheck } from "./store/maintenance/TableCheck.ts"

/** Worker thread that takes part in checking a library before it is opened, and checks the open one. */
self.addEventListener("message", ({ data }: MessageEvent<TableCheck>) => {
  self.postMessage(helpCheck(data))
})
