import { hydrate } from "preact"
import { SetUp } from "./SetUp.tsx"

const root = document.getElementById("app")
if (root !== null) hydrate(<SetUp />, root)
