-- Plays a user of Neovim's own client: opens a transcript, asks, and writes down what Neovim got.
-- The environment names the set-up (INIT), the transcript (TRANSCRIPT) and where to write the answers (ANSWERS).

local function eventually(what, condition)
  local found
  local is_met = vim.wait(20000, function()
    found = condition()
    return found
  end, 20)
  if not is_met then error(what .. ': not within 20 seconds') end
  return found
end

local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    if answer.error then error(method .. ': ' .. vim.inspect(answer.error)) end
    if answer.result then return answer.result end
  end
  error(method .. ' is not answered')
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end

local function play()
  dofile(vim.env.INIT)
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.TRANSCRIPT))
  local answers = { version = tostring(vim.version().major) .. '.' .. vim.version().minor, filetype = vim.bo.filetype }
  answers.diagnostics = eventually('diagnostics', function()
    local found = vim.tbl_map(function(it) return it.code end, vim.diagnostic.get(0))
    return #found > 0 and found
  end)
  vim.fn.search('<|channel|>', 'we')
  vim.cmd('normal! l')
  vim.lsp.buf.hover()
  answers.hover = eventually('hover', floating_text)
  local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
  local here = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local proposals = ask('textDocument/completion', here)
  answers.completions = vim.tbl_map(function(it) return it.label end, proposals.items or proposals)
  local symbols = ask('textDocument/documentSymbol', { textDocument = here.textDocument })
  answers.outline = vim.tbl_map(function(it) return it.name end, symbols)
  if vim.lsp.buf.format then vim.lsp.buf.format({ async = false }) else vim.lsp.buf.formatting_sync({}, 20000) end
  answers.formatted = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
  vim.fn.writefile({ vim.fn.json_encode(answers) }, vim.env.ANSWERS)
end

local is_done, problem = pcall(play)
if not is_done then io.stderr:write(tostring(problem) .. '\n') end
vim.cmd(is_done and 'qall!' or 'cquit!')
