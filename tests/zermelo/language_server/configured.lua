-- After a configuration of the manual, with a file opened: writes to $HEARD what it brings, and what a lens runs.
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
vim.lsp.codelens.refresh()
vim.wait(60000, function() return #vim.lsp.codelens.get(0) > 0 end, 20)
local lenses = vim.lsp.codelens.get(0)
local said = { kind = vim.bo.filetype, shown = {}, lenses = {} }
for _, finding in ipairs(vim.diagnostic.get(0)) do
  table.insert(said.shown, finding.message)
end
for _, lens in ipairs(lenses) do
  table.insert(said.lenses, lens.command.title)
end
vim.lsp.commands["zermelo.run"](lenses[1].command)
local function terminal()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n")
end
vim.wait(60000, function() return terminal():find("[Process exited", 1, true) ~= nil end, 20)
said.terminal = terminal()
vim.fn.writefile({ vim.fn.json_encode(said) }, vim.env.HEARD)
vim.cmd("qa!")
