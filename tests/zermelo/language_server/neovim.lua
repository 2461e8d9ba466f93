-- Neovim's own client talks to the server about $FILE, and writes to $HEARD what it is told.
local buffer = vim.fn.bufadd(vim.env.FILE)
vim.fn.bufload(buffer)
vim.api.nvim_set_current_buf(buffer)
local start = vim.lsp.start_client or vim.lsp.start
local client = start({ name = "zermelo", cmd = { vim.env.SERVER, "-m", "zermelo", "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, client)
local document = { uri = vim.uri_from_bufnr(buffer) }
local said = { shown = {} }

local function findings()
  return vim.diagnostic.get(buffer)
end

local function ask(method, parameters)
  parameters.textDocument = document
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 30000)
  return answers[client].result
end

vim.wait(60000, function() return #findings() > 0 end, 20)
for _, finding in ipairs(findings()) do
  table.insert(said.shown, (finding.lnum + 1) .. ": " .. finding.message)
end
said.hover = ask("textDocument/hover", { position = { line = 3, character = 5 } }).contents.value
local place = ask("textDocument/definition", { position = { line = 11, character = 16 } })
said.defined_in_line = (place[1] or place).range.start.line + 1
local line = vim.api.nvim_buf_get_lines(buffer, 8, 9, true)[1]
vim.api.nvim_buf_set_lines(buffer, 8, 9, true, { (line:gsub("pille", "pile")) })
vim.wait(60000, function() return #findings() == 0 end, 20)
said.left = #findings()
local edits = ask("textDocument/formatting", { options = { tabSize = 4, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, buffer, "utf-16")
said.formatted = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
vim.fn.writefile({ vim.fn.json_encode(said) }, vim.env.HEARD)
vim.cmd("qa!")
