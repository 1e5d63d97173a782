import { dropOffline, forgetOffline, keepOffline, listOffline } from "../../../web/app/reader/offline.ts"
import { registerWorker } from "../../../web/app/registerWorker.ts"

/** A minimal app: it registers its worker, requests data, and shows the response or its absence. */
registerWorker()
// For tests, which run in the page.
Object.assign(window, { keepOffline, listOffline, forgetOffline, dropOffline })

const shown = document.querySelector("p")
const answer = await fetch("/dashboard/api/links").catch(() => undefined)
if (shown !== null) shown.textContent = (await answer?.text()) ?? "no answer"
