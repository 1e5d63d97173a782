import { hydrate } from "preact"
import { Connect } from "./Connect.tsx"

const root = document.getElementById("app")
if (root !== null) hydrate(<Connect />, root)
