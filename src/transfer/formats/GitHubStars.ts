import { isObject, type Json } from "../../domain/Json.ts"
import { list, names, text } from "../Fields.ts"
import { listFormat } from "../Format.ts"

/** Returns the edges of an answer of the GraphQL API, wherever the query has them. */
const edgesIn = (json: Json): ReadonlyArray<unknown> | undefined => {
  const data = isObject(json["data"]) ? json["data"] : {}
  const [owner] = [data["viewer"], data["user"]].filter(isObject)
  const stars = isObject(owner?.["starredRepositories"]) ? owner["starredRepositories"] : {}
  const found = stars["edges"] ?? stars["nodes"]
  return Array.isArray(found) ? found : undefined
}

/** Returns the repository of a star: the star itself, or within it beside the time. */
const repositoryOf = (star: Json): Json => {
  const [inner] = [star["repo"], star["node"], star["repository"]].filter(isObject)
  return inner ?? star
}

/** Returns the topics, as the two APIs list them. */
const topicsOf = (repository: Json) => {
  const nodes = isObject(repository["repositoryTopics"]) ? list(repository["repositoryTopics"]["nodes"]) : []
  return [...names(list(repository["topics"])), ...names(nodes.filter(isObject).map(({ topic }) => topic))]
}

/**
 * Starred repositories as GitHub's API lists them
 * (https://docs.github.com/rest/activity/starring#list-repositories-starred-by-the-authenticated-user), with the times
 * of the stars if they were asked for, or as its GraphQL API does. The lists of several pages may lie in one list.
 */
export const gitHubStars = listFormat({
  name: "github-stars",
  label: "GitHub stars (JSON)",
  guides: [
    {
      from: "GitHub stars",
      file: "the API's list (JSON)",
      how: "`gh api --paginate --slurp user/starred -H 'Accept: application/vnd.github.star+json'`",
      keeps: "name, description, topics as tags, date"
    }
  ],
  items: (json) => (Array.isArray(json) ? json.flat() : isObject(json) ? edgesIn(json) : undefined),
  own: (star) => {
    const repository = repositoryOf(star)
    return (
      ("full_name" in repository && "html_url" in repository) ||
      ("nameWithOwner" in repository && "url" in repository)
    )
  },
  read: (star, time) => {
    const repository = repositoryOf(star)
    return {
      url: text(repository["html_url"]) || text(repository["url"]),
      title: text(repository["full_name"]) || text(repository["nameWithOwner"]),
      description: text(repository["description"]),
      tags: topicsOf(repository),
      createdAt: time(star["starred_at"], star["starredAt"])
    }
  }
})
