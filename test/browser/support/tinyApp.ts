import { registerWorker } from "../../../web/app/registerWorker.ts"

/** The least an app does: it registers its worker, asks for data, and shows them or that there are none. */
registerWorker()

const shown = document.querySelector("p")
const answer = await fetch("/dashboard/api/links").catch(() => undefined)
if (shown !== null) shown.textContent = (await answer?.text()) ?? "no answer"
