import { hydrate } from "preact"
import { readPageData } from "./pageData.ts"
import { SetUp, type SetUpProps } from "./SetUp.tsx"

const root = document.getElementById("app")
const data = readPageData<SetUpProps>()
if (root !== null && data !== null) hydrate(<SetUp {...data} />, root)
