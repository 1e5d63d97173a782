import { hydrate } from "preact"
import { Connect, type ConnectProps } from "./Connect.tsx"
import { readPageData } from "./pageData.ts"

const root = document.getElementById("app")
const data = readPageData<ConnectProps>()
if (root !== null && data !== null) hydrate(<Connect {...data} />, root)
