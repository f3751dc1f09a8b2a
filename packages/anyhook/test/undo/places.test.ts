/** Undo where a disk is full or read-only, and in unusual repositories, by the command line as a user has it. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayMount, UndoGround, UNSHARED } from './ground.ts';

const GIT = `git() { command git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c protocol.file.allow=always "$@"; }\n`;

describe.skipIf(!mayMount)('a disk (needs mount privileges)', () => {
  test('a store without space lets the call pass, names the place and what to do, and works again after space was freed', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `mkdir -p "$STORES"; mount -t tmpfs -o size=64k none "$STORES"; head -c 300000 /dev/urandom > big; cp big "$ROOT/saved"
       echo FIRST; call 'rm big' c1; cp "$ROOT/saved" big
       echo LEFT; find "$STORES" -name 'tmp-*' -o -name '*.tmp' -o -name lock
       mount -o remount,size=10m "$STORES"; echo SECOND; call 'rm big' c2; undo --yes; cmp big "$ROOT/saved" && echo SAME`,
      { wrap: UNSHARED },
    );
    const [, first, left, second] = output.split(/FIRST|LEFT|SECOND/);
    expect(first).toContain('this call cannot be undone: ');
    expect(first).toContain(`no space left on device (ENOSPC) in ${ground.stores}`);
    expect(first).toContain('Free space there');
    expect(left!.trim()).toBe('');
    expect(second).not.toContain('cannot be undone');
    expect(second).toContain('SAME');
  });

  test('a store that is full from the beginning delays no call and leaves no lock', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `mkdir -p "$STORES"; mount -t tmpfs -o size=1m none "$STORES"; call 'echo x > file' c1
       dd if=/dev/zero of="$STORES/full" bs=4k 2>/dev/null; call 'rm file' c2; find "$STORES" -name lock
       rm "$STORES/full"; echo again > file; call 'rm file' c3; undo --yes; cat file`,
      { wrap: UNSHARED },
    );
    expect(output).toContain('no space left on device (ENOSPC)');
    expect(output).not.toContain('/lock\n');
    expect(output.trimEnd().endsWith('again')).toBe(true);
  });

  test('a store that is full refuses an undo with a clear error and changes nothing', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `mkdir -p "$STORES"; mount -t tmpfs -o size=1m none "$STORES"; echo x > file; call 'rm file' c1
       head -c 2000000 /dev/urandom > mine; undo --yes; echo "exit $?"; ls`,
      { wrap: UNSHARED },
    );
    expect(output).toMatch(/undo: .*no space left on device \(ENOSPC\) in .*\nexit 2\nmine\n$/s);
  });

  test('a full project reports each file that could not be restored, keeps the old files, and finishes after space was freed', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `mount -t tmpfs -o size=1m none "$PROJECT"; cd "$PROJECT"; head -c 500000 /dev/urandom > big; echo old > small; cp big "$ROOT/saved"
       call 'rm big; echo new > small' c1; head -c 800000 /dev/zero > mine; undo --yes; echo "exit $?"; ls -A
       rm mine; undo --yes --call c1; cmp big "$ROOT/saved" && cat small`,
      { wrap: UNSHARED },
    );
    expect(output).toMatch(/big: ENOSPC.*exit 1\nmine\nsmall\n/s);
    expect(output.trimEnd().endsWith('old')).toBe(true);
  });

  test('a read-only store lets the call pass with a notice, lists calls, and refuses an undo with a clear error', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `echo x > file; call 'rm file' c1; mount --bind "$STORES" "$STORES"; mount -o remount,bind,ro "$STORES"
       echo CALL; call 'touch other' c2; echo LIST; undo --list; echo UNDO; undo --yes; echo "exit $?"; ls`,
      { wrap: UNSHARED },
    );
    const [, call, list, undo] = output.split(/CALL|LIST|UNDO/);
    expect(call).toContain(`read-only file system (EROFS) in ${ground.stores}`);
    expect(list).toContain('rm file');
    expect(undo).toMatch(/undo: .*read-only file system \(EROFS\) in .*\nexit 2\nother\n/s);
  });

  test('a project on another file system than the store is restored byte for byte', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `mount -t tmpfs none "$PROJECT"; cd "$PROJECT"; mkdir a; printf 'a\\r\\n' > a/crlf; ln -s a link; chmod 700 a; head -c 3000000 /dev/urandom > big
       cp -a . "$ROOT/copy"; call 'rm -rf a link big; touch new' c1; undo --yes; rm -rf "$ROOT/copy/new"; diff -r . "$ROOT/copy" && ls -ld a link && stat -c %a a`,
      { wrap: UNSHARED },
    );
    expect(output).toMatch(/ a\n.* link -> a\n700\n$/s);
  });
});

describe('a repository', () => {
  test('a submodule that was deleted comes back with the file that connects it to its repository', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `${GIT} command git init -q "$ROOT/lib"; (cd "$ROOT/lib"; echo lib > lib.c; git add .; git commit -qm lib)
       git init -q .; git submodule --quiet add "$ROOT/lib" lib; git commit -qm 1; echo mine >> lib/lib.c
       call 'rm -rf lib' c1; undo --yes; cat lib/lib.c; git -C lib status --short; git status --short`,
    );
    expect(output.endsWith('lib\nmine\n M lib.c\n m lib\n')).toBe(true);
  });

  test('a worktree is a project of its own, and the deletion of its files and its .git file is undone', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `${GIT} git init -q "$ROOT/main"; cd "$ROOT/main"; echo 1 > f; git add f; git commit -qm 1; rmdir "$PROJECT"; git worktree add -q "$PROJECT" -b side
       cd "$PROJECT"; echo mine > g; ls -lR --time-style=full-iso "$ROOT/main" > "$ROOT/before"; call 'rm -rf .git f g' c1; undo --yes; git status --short --branch; cat g
       ls -lR --time-style=full-iso "$ROOT/main" | cmp - "$ROOT/before" && echo UNTOUCHED`,
    );
    expect(output.endsWith('## side\n?? g\nmine\nUNTOUCHED\n')).toBe(true);
  });

  test('files that a sparse checkout leaves out stay left out, and the index is not touched', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `${GIT} git init -q .; mkdir in out; echo 1 > in/f; echo 1 > out/f; git add .; git commit -qm 1; git sparse-checkout set in
       sha256sum .git/index .git/info/sparse-checkout > "$ROOT/sums"; call 'rm -rf in; mkdir out; echo agent > out/f' c1; undo --yes; ls
       sha256sum -c --quiet "$ROOT/sums" && echo SAME; git status --short`,
    );
    expect(output.endsWith('in\nSAME\n')).toBe(true);
  });

  test('undo is off in a bare repository, and the call, the command and the list name the reason', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `git init -q --bare .; call 'touch x' c1; echo UNDO; undo --yes; echo "exit $?"; undo --list`,
    );
    const why = 'a bare repository has no files to work on';
    const [call, undo] = output.split('UNDO\n');
    expect(call).toContain(`this call cannot be undone: ${why}`);
    expect(undo).toMatch(
      new RegExp(`undo is off in this project: ${why}.*exit 2.*off in this project: ${why}`, 's'),
    );
    expect(existsSync(ground.stores)).toBe(false);
  });

  test('the middle of a rebase stays as it is: the todo list, the index and the conflict', () => {
    const ground = new UndoGround();
    const { output } = ground.sh(
      `${GIT} git init -q .; echo 1 > f; git add f; git commit -qm 1; git checkout -qb side; echo 2 > f; git commit -qam 2; git checkout -q main
       echo 3 > f; git commit -qam 3; git checkout -q side; git rebase -q main >/dev/null 2>&1; find .git -type f | sort | xargs sha256sum > "$ROOT/sums"
       cp f "$ROOT/conflict"; call 'echo agent > f' c1; undo --yes; cmp f "$ROOT/conflict" && sha256sum -c --quiet "$ROOT/sums" && echo SAME
       echo done > f; git add f; GIT_EDITOR=true git rebase --continue >/dev/null && git log --format=%s`,
    );
    expect(output.endsWith('SAME\n2\n3\n1\n')).toBe(true);
  });

  test('a file under LFS attributes comes back as its bytes, and no filter of the project runs', () => {
    const ground = new UndoGround();
    ground.sh(
      `git init -q .; git config filter.lfs.clean 'touch "$ROOT/ran"; cat'; git config filter.lfs.smudge 'touch "$ROOT/ran"; cat'; git config filter.lfs.required true
       echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes; printf 'a\\r\\n\\000' > a.bin; call 'rm a.bin' c1; undo --yes`,
    );
    expect(readFileSync(join(ground.project, 'a.bin'), 'latin1')).toBe('a\r\n\0');
    expect(existsSync(join(ground.root, 'ran'))).toBe(false);
  });
});

test('rm -rf node_modules with 5,000 small files is undone byte for byte by one command', () => {
  const ground = new UndoGround();
  ground.sh(
    `i=0; while [ $i -lt 100 ]; do mkdir -p node_modules/p$i/lib; j=0; while [ $j -lt 50 ]; do echo "$i $j" > node_modules/p$i/lib/$j.js; j=$((j+1)); done; i=$((i+1)); done
     mkdir node_modules/.bin; ln -s ../p1/lib/1.js node_modules/.bin/p1; chmod 755 node_modules/p1/lib/1.js`,
  );
  const before = ground.tree();
  expect(Object.keys(before).length).toBeGreaterThan(5_000);
  ground.sh(`call 'rm -rf node_modules' c1`);
  expect(ground.tree()).toEqual({});
  ground.sh('undo --yes');
  expect(ground.tree()).toEqual(before);
});
