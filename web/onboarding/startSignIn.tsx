import { hydrate } from "preact"
import { readPageData } from "./pageData.ts"
import { SignIn, type SignInProps } from "./SignIn.tsx"

const root = document.getElementById("app")
const data = readPageData<SignInProps>()
if (root !== null && data !== null) hydrate(<SignIn {...data} />, root)
