//! How long SOLFEC objects live.

use super::*;

/// A deck that makes and runs `count` objects one after another prints, in the middle and at the end, descriptors and
/// resident megabytes of the program, and how many objects its Python still knows.
fn many(count: usize) -> String {
    format!(
        "import os, gc, weakref\ndef used():\n  p = '/proc/%d/' % os.getppid()\n  pages = int(open(p + 'statm').read().split()[1])\n  \
         return len(os.listdir(p + 'fd')), pages * os.sysconf('SC_PAGE_SIZE') // 1000000\n\
         def f(i):\n  s = SOLFEC('DYNAMIC', 1e-3, 'out/%d' % i)\n  s.verbose = 'OFF'\n  m = BULK_MATERIAL(s, density=1000)\n  \
         for k in range(100): BODY(s, 'RIGID', SPHERE((3*k,0,0),1,0,0), m)\n  \
         CALLBACK(s, 1, (s, m), lambda s, m: 1)\n  RUN(s, 'AUTO', 0.002)\n\
         for i in range({count}):\n  f(i)\n  if i == {count} // 2: print(*used())\nprint(*used())\n"
    )
}

#[test]
fn three_hundred_in_one_process() {
    let out = Folder::new().run(&many(300));
    assert!(out.status.success(), "{}", text(&out.stderr));
    let printed = text(&out.stdout);
    let numbers: Vec<i64> = printed.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let [fds, memory, last_fds, last_memory] = numbers[..] else { panic!("{printed}") };
    assert!(last_fds <= 100 && last_fds <= fds + 10, "{fds} descriptors in the middle, {last_fds} at the end");
    assert!(last_memory <= memory + 50, "{memory} MB in the middle, {last_memory} MB at the end");
}
