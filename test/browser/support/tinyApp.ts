import { registerWorker } from "../../../web/app/registerWorker.ts"

/** A minimal app: it registers its worker, requests data, and shows the response or its absence. */
registerWorker()

const shown = document.querySelector("p")
const answer = await fetch("/dashboard/api/links").catch(() => undefined)
if (shown !== null) shown.textContent = (await answer?.text()) ?? "no answer"
