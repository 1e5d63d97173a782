declare module "*.css" {
  const text: string
  export default text
}

declare module "*.bin" {
  const path: string
  export default path
}
