/**
 * The files below a root, as JAWS's Cached Virtual Filesystem sees them: found by the path of a URL, kept open, and
 * dropped when they change. Knows of media types and versions, and nothing of requests.
 *
 * <p>A {@link dev.sluice.samples.web.files.CachedFileSystem} finds a {@link dev.sluice.samples.web.files.Resource}: an
 * open {@link dev.sluice.samples.web.files.FileEntry}, or the reason why there is none. An entry counts its users. The
 * cache is one of them, each transfer another, and the file is closed when the last has left, so that a file can be
 * replaced or evicted in the middle of a transfer without harming it. Which entry makes room for another is the
 * {@link dev.sluice.samples.web.files.CacheStrategy}; what comes of that, its
 * {@link dev.sluice.samples.web.files.CacheStatistics}. Files that are mapped share a budget. One that finds it spent
 * is read, for to unmap another one might be the wrong choice a moment later. Nothing is pinned (mlock(2)): what is
 * asked for often stays in the system's cache without that, which knows what else needs the memory; and how much may be
 * locked is a small limit for most users (RLIMIT_MEMLOCK), beyond which it takes a privilege.
 *
 * <p>A file may be there in a {@link dev.sluice.samples.web.files.ContentCoding}, too: in one beside it, which is an
 * entry like every other, or made of it. The latter is a file without a name in the directory for temporary ones; it
 * belongs to the entry of the plain version, goes with it, and so needs neither a budget nor a check of its own. The
 * thread that first asks for it compresses it, and its other connections wait, which is why there is a largest size.
 *
 * <p><b>What is guaranteed about the root.</b> A path is followed, through all its symbolic links, to a real path; if
 * that does not lie below the root's real path, there is no such file. On Linux that is looked at part by part below
 * the root: a path without a link is the real one; the root's own path is followed when the server starts. What is then
 * opened is the real path, in which no link is left. The path is followed once more after the opening, and must lead to
 * the same file: so somebody who replaces a directory by a link at the wrong moment has to undo that as fast, and do it
 * again. Only who may write below the root can try, and he could have copied the file there as well; a client cannot.
 * Hard links and mounts are not looked through: what is under their names is below the root. Only regular files are
 * opened; a FIFO or a device would make the server wait.
 *
 * <p><b>Which names are refused.</b> The parts of a path are looked at before the system is asked for it. An empty one,
 * {@code .}, {@code ..}, and one with a backslash or a control character are refused on all systems. Windows takes more
 * names for something else: a drive or a stream ({@code c:x}, {@code x::$DATA}), a device ({@code nul},
 * {@code aux.txt}, {@code COM1}), a pattern ({@code *.txt}), a short name ({@code PROGRA~1}), and one from which it
 * drops dots or spaces at the end. There, all of these are refused, even where a file is called so. On other systems
 * they are names like all others, and served. A refused name is absent: a request for it gets what it gets where there
 * is no file, a PUT gets a conflict, no page lists it, and as an index page it is none. A short name is recognised by
 * its form: eight characters at most, and three after a dot, with a tilde before the last one of the eight. A short
 * name without a tilde, which an administrator can give to a file, is another name of a file below the root, as one in
 * letters of the other case is.
 *
 * <p><b>What is guaranteed about versions.</b> A file is a new version when its inode, its size or its modification
 * time is another, which Linux counts in ticks of a few milliseconds: two changes within one tick that leave the size
 * as it is look like one. A change is noticed after the cache's check interval at the latest. Where the system tells of
 * changes (inotify), a {@link dev.sluice.samples.web.files.FileWatch} hears of most of them at once: of those on this
 * machine, in the directories that lead to a file without a symbolic link, of which a number is watched. When the
 * system has lost some, everything is dropped.
 */
package dev.sluice.samples.web.files;
