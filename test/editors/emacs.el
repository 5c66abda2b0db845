;;; emacs.el --- plays a user of Eglot: opens a transcript, asks, and writes down what Emacs got  -*- lexical-binding: t -*-

;; The environment names the set-up (INIT), the transcript (TRANSCRIPT) and where to write the answers (ANSWERS).

;;; Code:
(require 'package)
(package-initialize)
(require 'eglot)
(require 'json)

(setq eglot-sync-connect 20)
(load-file (getenv "INIT"))

(defun eventually (what condition)
  "Wait until CONDITION answers something and answer that; WHAT names it."
  (let ((end (+ (float-time) 20)) (found nil))
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.02))
    (or found (error "%s: not within 20 seconds" what))))

(defun completions-here ()
  "What is proposed at point."
  (let ((table (nth 2 (eglot-completion-at-point))))
    (vconcat (mapcar #'substring-no-properties (all-completions "" table)))))

(find-file (getenv "TRANSCRIPT"))
;; The hook of the set-up connects after a command, and a batch has none.
(call-interactively #'eglot)

(let (diagnostics hover completions outline)
  (setq diagnostics
        (eventually "diagnostics"
                    (lambda () (flymake-start) (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))
  (goto-char (point-min))
  (search-forward "<|channel|>")
  (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover (substring-no-properties text))))
  (eventually "hover" (lambda () hover))
  (setq completions (completions-here))
  (setq outline (vconcat (mapcar (lambda (it) (format "%s" (substring-no-properties (car it)))) (eglot-imenu))))
  (eglot-format-buffer)
  (with-temp-file (getenv "ANSWERS")
    (insert (json-encode `((version . ,emacs-version)
                           (mode . ,(symbol-name (buffer-local-value 'major-mode (get-file-buffer (getenv "TRANSCRIPT")))))
                           (diagnostics . ,(vconcat diagnostics))
                           (hover . ,hover)
                           (completions . ,completions)
                           (outline . ,outline)
                           (formatted . ,(with-current-buffer (get-file-buffer (getenv "TRANSCRIPT"))
                                           (buffer-substring-no-properties (point-min) (point-max)))))))))
(eglot-shutdown-all)
;;; emacs.el ends here
