import { hydrate } from "preact"
import { SignIn, type SignInProps } from "./SignIn.tsx"

/** Reads the data with which the service rendered this page; null if there is none. */
const readProps = (): SignInProps | null => JSON.parse(document.getElementById("data")?.textContent ?? "null")

const root = document.getElementById("app")
const props = readProps()
if (root !== null && props !== null) hydrate(<SignIn {...props} />, root)
