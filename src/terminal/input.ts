// Stands between the terminal and Ink: hands Ink one key at a time and takes out pastes, mouse, focus and replies.

/* What arrives in `useInput((input, key) => …)`. Flags that are not named are false. The same on every keyboard (legacy, modifyOtherKeys, kitty) that can tell the keys apart.

   key                        input   key flags
   a, A, é, 你, 👍🏽            itself  (A: shift)           one grapheme a call; only a burst of over 32 that comes in one read stays whole
   Enter                      "\r"    return
   Shift+Enter                "\r"    return, shift        (kitty, modifyOtherKeys; elsewhere it is Enter)
   Ctrl+Enter                 "\r"    return, ctrl         (same)
   Alt+Enter                  "\r"    return, meta
   Ctrl+J                     "\n"    none                 take it as "new line"
   Tab / Shift+Tab            ""      tab / tab, shift
   Escape                     ""      escape               also twice for Esc Esc; Alt+Escape is two Escapes
   Backspace / Ctrl+H (old)   ""      backspace            Ctrl+H on kitty: "h" with ctrl
   Alt+Backspace              ""      backspace, meta
   Ctrl+Backspace             ""      backspace, ctrl      (kitty; elsewhere it is Backspace or Ctrl+W)
   Delete / Home / End        ""      delete / home / end
   Page Up / Page Down        ""      pageUp / pageDown
   arrows                     ""      upArrow, downArrow, leftArrow, rightArrow; with shift, meta (Alt), ctrl
   Ctrl+letter                letter  ctrl                 lower case; Ctrl+Shift+letter adds shift (kitty)
   Ctrl+Space                 " "     ctrl
   Ctrl+_ , Ctrl+/ , Ctrl+-   "_"     ctrl                 undo, everywhere
   Ctrl+\ , Ctrl+] , Ctrl+^   \ ] ^   ctrl
   Alt+letter                 letter  meta                 Alt+Shift+letter: upper case, meta, shift
   Alt+digit, Alt+sign        itself  meta
   F1–F12, Insert             not in useInput: `onKey({ name: 'f1', shift, alt, ctrl })`
   paste                      not in useInput: `onPaste(text)`, line ends as "\n", not cleaned

   Ink reads one key, then React commits, then Ink reads the next: no burst meets a stale closure. */
