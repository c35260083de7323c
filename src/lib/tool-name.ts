// The two spellings of a server's tool: `mcp_server_tool` is how it is registered, `mcp__server__tool` what other programs write.

/** The registered spelling of a name; any other name as it is. */
function registeredName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return name;
  return `mcp_${server}_${tool}`.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** The tool of that name in either spelling. */
export function findTool<T extends { name: string }>(tools: readonly T[], name: string): T | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === registeredName(name));
}
