import { hydrate } from "preact"
import { Consent, type ConsentProps } from "./Consent.tsx"

/** Reads the data with which the service rendered this page; null if there is none. */
const readProps = (): ConsentProps | null =>
  JSON.parse(document.getElementById("data")?.textContent ?? "null")

const root = document.getElementById("app")
const props = readProps()
if (root !== null && props !== null) hydrate(<Consent {...props} />, root)
